import { toast } from 'sonner';
import { warnBeforeLeaving } from '../../../data/browser/leave-warning.ts';
import { selectionWords } from './selection-words.ts';

const graceMs = 8_000;

/**
 * Deletes after a grace in which a toast offers to undo. Nothing is sent before its end: a deletion cannot be taken back
 * on the server. The browser asks before the page is left in the grace or while users are being deleted: those who are
 * left would stay.
 */
export function deleteLater(count: number, { remove, undo }: { remove: () => Promise<void>; undo: () => void }): void {
  const stopWarning = warnBeforeLeaving();
  let isDecided = false;
  const decide = (work: () => unknown) => () => {
    if (isDecided) return;
    isDecided = true;
    void Promise.resolve(work()).finally(stopWarning);
  };
  toast(selectionWords.willDelete(count), {
    duration: graceMs,
    action: {
      label: selectionWords.undo,
      onClick: decide(() => {
        undo();
        toast(selectionWords.kept);
      }),
    },
    onAutoClose: decide(remove),
    onDismiss: decide(remove),
  });
}
