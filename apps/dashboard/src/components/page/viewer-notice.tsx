import { Eye } from 'lucide-react';
import { useRole } from '../../data/owner.tsx';
import { words } from '../../words.ts';

/** Says on every page of a project why its buttons are disabled. */
export function ViewerNotice() {
  if (useRole() !== 'viewer') return null;
  return (
    <p className="tss:flex tss:items-center tss:gap-3 tss:rounded-md tss:bg-accent tss:p-3 tss:text-sm tss:text-accent-foreground">
      <Eye aria-hidden className="tss:size-4 tss:shrink-0" />
      {words.viewer.notice}
    </p>
  );
}
