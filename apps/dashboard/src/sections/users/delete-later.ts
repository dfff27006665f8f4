import { toast } from 'sonner';
import { words } from './words.ts';

const graceMs = 8_000;

/**
 * Deletes after a grace in which a toast offers to undo. Nothing is sent before its end: a deletion cannot be taken back
 * on the server. Closing the window in the grace keeps the users.
 */
export function deleteLater(count: number, { remove, undo }: { remove: () => Promise<void>; undo: () => void }): void {
  let isDecided = false;
  const decide = (work: () => unknown) => () => {
    if (isDecided) return;
    isDecided = true;
    void work();
  };
  toast(words.willDelete(count), {
    duration: graceMs,
    action: {
      label: words.undo,
      onClick: decide(() => {
        undo();
        toast(words.kept);
      }),
    },
    onAutoClose: decide(remove),
    onDismiss: decide(remove),
  });
}
