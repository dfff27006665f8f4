import { FormSummary } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { errorWords } from '../words/error-words.ts';
import { useTranslate } from '../words/translate.tsx';
import { useActionGuard } from './action-guard.ts';

/** For buttons outside of forms: runs an action and shows why it failed. */
export interface Attempt {
  /** Resolves to whether the action succeeded. */
  readonly attempt: (act: () => unknown) => Promise<boolean>;
  /** The failure to render, if any. */
  readonly failure: ReactNode;
}

export function useAttempt(): Attempt {
  const translate = useTranslate();
  const guard = useActionGuard();
  const [failed, setFailed] = useState<{ because: unknown }>();

  async function attempt(act: () => unknown): Promise<boolean> {
    setFailed(undefined);
    try {
      await guard(async () => act());
      return true;
    } catch (because) {
      setFailed({ because });
      return false;
    }
  }

  return { attempt, failure: failed && <FormSummary title={errorWords(failed.because, translate)} /> };
}
