import { KnownErrors } from '@tessera/client';
import { useEffect, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';

interface PasskeyAutofillOptions {
  readonly isOffered: boolean;
  /** Changes when another prompt has taken this one away and is over. */
  readonly round: number;
  /** Told when a passkey was chosen, and the server did not accept it. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * The server forgets what it asked after 65 seconds (docs/contract/sign-in-methods.md#code-kinds), so it is asked
 * again before.
 */
const challengeMs = 50_000;

/**
 * Lets the browser offer passkeys where an address is typed, from the moment the page is there.
 *
 * @returns whether it does, so that the input can say so.
 */
export function usePasskeyAutofill({ isOffered, round, onProblem }: PasskeyAutofillOptions): boolean {
  const app = useApp();
  const [isAvailable, setAvailable] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round begins anew
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
        // Nobody asked for this prompt: where it cannot be made, the button and the form are still there.
      }
    }

    void offer();
    const timer = setInterval(() => {
      // Without the focus somebody may be in the middle of choosing one.
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
