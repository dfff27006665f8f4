import { Button, Dialog } from '@tessera/ui';
import { TriangleAlert } from 'lucide-react';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { CopyField } from './copy-field.tsx';
import { words } from './words.ts';

interface SecretOnceProps {
  readonly title: string;
  readonly secrets: readonly { readonly label: string; readonly value: string; readonly copyLabel: string }[];
  /** Called when the user confirms. The caller then forgets the secrets. */
  readonly onStored: () => void;
}

const always = () => true;

/** Shows new secrets a single time. A slip loses none: the Escape key does not close it, and leaving the page asks first. */
export function SecretOnce({ title, secrets, onStored }: SecretOnceProps) {
  return (
    <Dialog title={title}>
      <p className="tss:flex tss:gap-2 tss:rounded-md tss:bg-accent tss:p-3 tss:text-sm tss:text-accent-foreground">
        <TriangleAlert aria-hidden className="tss:mt-0.5 tss:size-4 tss:shrink-0" />
        {words.secret.once}
      </p>
      {secrets.map(secret => (
        <CopyField key={secret.label} {...secret} />
      ))}
      <Button onClick={onStored}>{words.secret.stored}</Button>
      <LeaveGuard isChanged={always} question={words.secret.leave} />
    </Dialog>
  );
}
