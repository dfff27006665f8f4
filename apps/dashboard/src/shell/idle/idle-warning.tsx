import { Button, Dialog } from '@tessera/ui';
import { words } from '../../words.ts';

interface IdleWarningProps {
  readonly leftMs: number;
  readonly onStay: () => void;
  readonly onSignOut: () => void;
}

/** The question before an idle session ends. Closing it means to stay. */
export function IdleWarning({ leftMs, onStay, onSignOut }: IdleWarningProps) {
  return (
    <Dialog title={words.idle.title} onClose={onStay}>
      <p className="tss:text-sm">{words.idle.text}</p>
      <p role="timer" className="tss:text-2xl tss:font-semibold tss:tabular-nums">
        {clockOf(leftMs)}
      </p>
      {/* The first button gets the focus, so Enter stays. */}
      <div className="tss:flex tss:flex-row-reverse tss:flex-wrap tss:gap-3">
        <Button onClick={onStay}>{words.idle.stay}</Button>
        <Button variant="secondary" onClick={onSignOut}>
          {words.idle.signOut}
        </Button>
      </div>
    </Dialog>
  );
}

/** Minutes and seconds, such as `1:05`. */
function clockOf(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
