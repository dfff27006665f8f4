import type { ReactNode } from 'react';
import type { EmailDraft } from './blocks.ts';
import { unknownVariables, usedVariables } from './draft-check.ts';
import { words } from './words.ts';

interface DraftNotesProps {
  readonly draft: EmailDraft;
  /** The variables that the server fills in. */
  readonly variables: readonly string[];
  /** The email serves its purpose with one of them. Empty: it needs none. */
  readonly needed: readonly string[];
}

/** What is probably a mistake in an email. It can be saved and sent nevertheless. */
export function DraftNotes({ draft, variables, needed }: DraftNotesProps) {
  const unknown = unknownVariables(draft, variables);
  const used = usedVariables(draft);
  const isUseless = needed.length > 0 && !needed.some(name => used.includes(name));
  return (
    <div role="status" className="tss:grid tss:gap-3 tss:empty:hidden">
      {isUseless && <Note>{words.missingVariable(needed)}</Note>}
      {unknown.length > 0 && <Note>{words.unknownVariables(unknown)}</Note>}
    </div>
  );
}

/** A remark in the page of an email. */
export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p className="tss:rounded-lg tss:border tss:border-border tss:bg-muted tss:p-4 tss:text-sm tss:wrap-anywhere">
      {children}
    </p>
  );
}
