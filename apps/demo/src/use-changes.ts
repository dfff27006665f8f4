import { useRef, useState } from 'react';

/** Changes what is stored; pure, because it may run several times. */
export type Change<T> = (stored: T) => T;

/**
 * Shows changes at once and saves them one after another, because two saves on their way at once could end in the other
 * order. A change that cannot be saved is reverted.
 *
 * @param stored the value as it was last read
 * @param save reads the stored value and replaces it by the changed one
 */
export function useChanges<T>(stored: T, save: (change: Change<T>) => Promise<void>) {
  const [unsaved, setUnsaved] = useState<readonly Change<T>[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const lastSave = useRef<Promise<unknown>>(Promise.resolve());

  /** @returns whether it was saved */
  async function change(next: Change<T>): Promise<boolean> {
    setUnsaved(changes => [...changes, next]);
    setFailure(undefined);
    const saving = lastSave.current.then(() => save(next));
    const isSaved = saving.then(
      () => true,
      (error: unknown) => {
        setFailure(error);
        return false;
      },
    );
    lastSave.current = isSaved;
    await isSaved;
    setUnsaved(changes => changes.filter(other => other !== next));
    return isSaved;
  }

  return { shown: unsaved.reduce((value, next) => next(value), stored), failure, change };
}
