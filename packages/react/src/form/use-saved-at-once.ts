import { createInOrder } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { useAttempt } from './use-attempt.tsx';

/** A choice that is saved without a button. */
interface SavedAtOnce<Value> {
  /** The chosen value while it is saved, otherwise the saved one: a refused choice is rolled back. */
  readonly value: Value;
  readonly isSaving: boolean;
  readonly choose: (value: Value) => Promise<void>;
  /** Why the last choice was refused, to render. */
  readonly failure: ReactNode;
}

/** Its control stays enabled while a choice is saved, so that it keeps the focus and takes the next choice. */
export function useSavedAtOnce<Value>(saved: Value, save: (value: Value) => Promise<unknown>): SavedAtOnce<Value> {
  const { attempt, failure } = useAttempt();
  const [chosen, setChosen] = useState<{ readonly value: Value }>();
  const [inOrder] = useState(createInOrder);

  async function choose(value: Value) {
    const choice = { value };
    setChosen(choice);
    await inOrder(() => attempt(() => save(value)));
    setChosen(newest => (newest === choice ? undefined : newest));
  }

  return { value: chosen ? chosen.value : saved, isSaving: chosen !== undefined, choose, failure };
}
