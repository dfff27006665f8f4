import { hasCode } from '@tessera/client/internals';
import { useEffect, useState } from 'react';
import { useApp } from '../hooks/hooks.ts';
import { type CallOptions, signInCalls } from './calls.ts';
import type { SignInEvent } from './machine.ts';

interface PasskeyAutofillOptions extends CallOptions {
  readonly isOffered: boolean;
  /** Whether another prompt, which cancels this one, is open. */
  readonly isPaused: boolean;
  /** Called with a sign-in, a second factor, or the refusal of a chosen passkey. */
  readonly report: (event: SignInEvent) => void;
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
export function usePasskeyAutofill(options: PasskeyAutofillOptions): boolean {
  const { isOffered, isPaused, secondFactor, redirect, report } = options;
  const app = useApp();
  const [isAvailable, setAvailable] = useState(false);

  useEffect(() => {
    if (!isOffered || isPaused) return;
    const calls = signInCalls(app, { secondFactor, redirect });
    let abort = new AbortController();

    async function offer() {
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      if (!(await isAutofillAvailable()) || signal.aborted) return;
      setAvailable(true);
      try {
        report(await calls.passkeyAutofill(signal));
      } catch (error) {
        // The user did not ask for this prompt. When it fails otherwise, the button and the form still work.
        if (hasCode(error, 'PASSKEY_AUTHENTICATION_FAILED') && !signal.aborted) {
          report({ type: 'failure', action: 'passkey-autofill', error });
        }
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
  }, [app, isOffered, isPaused, secondFactor, redirect, report]);

  return isAvailable;
}

async function isAutofillAvailable(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}
