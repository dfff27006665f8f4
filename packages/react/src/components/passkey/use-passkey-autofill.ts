import { KnownErrors } from '@tessera/client';
import { useEffect, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';

interface PasskeyAutofillOptions {
  readonly isOffered: boolean;
  /** Changes when another prompt, which cancelled this one, has ended. */
  readonly round: number;
  /** Called when the server refused a chosen passkey. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * The challenge expires after 65 seconds (docs/contract/sign-in-methods.md#code-kinds), so a new one is requested
 * before.
 */
const challengeMs = 50_000;

/**
 * Lets the browser offer passkeys in the address input, from the first render on.
 *
 * @returns whether it does, so that the input can announce it.
 */
export function usePasskeyAutofill({ isOffered, round, onProblem }: PasskeyAutofillOptions): boolean {
  const app = useApp();
  const [isAvailable, setAvailable] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round starts again
  useEffect(() => {
    if (!isOffered) return;
    let abort = new AbortController();

    async function offer() {
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      if (!(await isAutofillAvailable()) || signal.aborted) return;
      setAvailable(true);
      try {
        const result = await app.signInWithPasskey({ autofill: true, signal });
        const hasFailed = result.status === 'error' && KnownErrors.PasskeyAuthenticationFailed.isInstance(result.error);
        if (hasFailed && !signal.aborted) onProblem(result.error);
      } catch {
        // The user did not ask for this prompt. When it fails, the button and the form still work.
      }
    }

    void offer();
    const timer = setInterval(() => {
      // Without the focus the user may be choosing a passkey.
      if (document.hasFocus()) void offer();
    }, challengeMs);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [app, isOffered, round, onProblem]);

  return isAvailable;
}

async function isAutofillAvailable(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}
