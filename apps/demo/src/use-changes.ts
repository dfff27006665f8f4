import { useEffect, useRef, useState } from 'react';

/** Changes what is stored; pure, because it may run several times. */
export type Change<T> = (stored: T) => T;

/**
 * Shows changes at once and saves them in order. Two saves on their way at once could end in the other order, so changes
 * that are made during a save wait and are saved together after it. Changes that could not be saved stay on the page.
 *
 * @param stored the value as it was last read
 * @param save reads the stored value and replaces it by the changed one
 */
export function useChanges<T>(stored: T, save: (change: Change<T>) => Promise<void>) {
  const waiting = useRef<readonly Change<T>[]>([]);
  const isSaving = useRef(false);
  const [unsaved, setUnsaved] = useState<readonly Change<T>[]>([]);
  const [failure, setFailure] = useState<unknown>();
  useQuestionBeforeLeaving(failure !== undefined);

  function wait(changes: readonly Change<T>[]): void {
    waiting.current = changes;
    setUnsaved(changes);
  }

  async function saveWaiting(): Promise<void> {
    if (isSaving.current) return;
    isSaving.current = true;
    setFailure(undefined);
    try {
      while (waiting.current.length > 0) {
        const changes = waiting.current;
        await save(value => applyAll(changes, value));
        wait(waiting.current.slice(changes.length));
      }
    } catch (error) {
      setFailure(error);
    } finally {
      isSaving.current = false;
    }
  }

  return {
    shown: applyAll(unsaved, stored),
    /** Why the last save failed. */
    failure,
    change: (next: Change<T>) => {
      wait([...waiting.current, next]);
      void saveWaiting();
    },
    retry: () => void saveWaiting(),
  };
}

function applyAll<T>(changes: readonly Change<T>[], stored: T): T {
  return changes.reduce((value, change) => change(value), stored);
}

/** The browser asks before it closes or reloads a page with unsaved changes. */
function useQuestionBeforeLeaving(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}
