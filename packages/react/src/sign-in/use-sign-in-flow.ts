import { useReturnToPage } from '@tessera/ui';
import { useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useApp } from '../hooks/hooks.ts';
import { storedAttempt } from './attempt.ts';
import { type CallOptions, type Credentials, signInCalls } from './calls.ts';
import {
  moveTo,
  nextStep,
  problemOf,
  type SignInAction,
  type SignInEvent,
  type SignInProblem,
  type SignInStep,
  secondFactorOf,
  start,
} from './machine.ts';
import { mailedCode } from './mailed-code.ts';
import { signUpCalls } from './sign-up-calls.ts';

/** Resolves to the problem of the action, which is also in the state; undefined after success. It never rejects. */
type Outcome = Promise<SignInProblem | undefined>;

/** The step of a flow and its actions, for pages that decide themselves what is loaded first. */
export interface SignInFlow {
  readonly step: SignInStep;
  readonly signInWithPassword: (credentials: Credentials) => Outcome;
  readonly signUpWithPassword: (credentials: Credentials) => Outcome;
  readonly signInWithPasskey: () => Outcome;
  readonly signInWithProvider: (provider: string) => Outcome;
  readonly sendCode: (email: string) => Outcome;
  readonly submitCode: (code: string) => Outcome;
  readonly submitTotp: (totp: string) => Outcome;
  readonly submitRecoveryCode: (recoveryCode: string) => Outcome;
  readonly submitVerificationCode: (code: string) => Outcome;
  readonly resend: () => Outcome;
  readonly changeEmail: (email: string) => Outcome;
  readonly skipVerification: () => Outcome;
  readonly sendPasswordReset: (email: string) => Outcome;
  readonly startOver: () => void;
  /** Reports what an action outside of this list did. */
  readonly report: (event: SignInEvent) => void;
}

export function useSignInFlow(options: CallOptions): SignInFlow {
  const { secondFactor } = options;
  const app = useApp();
  const [step, report] = useReducer(nextStep, undefined, () => firstStep(app.projectId, secondFactor));
  const running = useRef(new Map<string, Outcome>());
  useReturnToPage(() => {
    running.current.clear();
    report({ type: 'cancel' });
  });

  const calls = { ...signInCalls(app, options), ...signUpCalls(app, options) };

  /** Two equal actions at the same time are one. */
  function run(action: SignInAction, call: () => Promise<SignInEvent>, provider?: string): Outcome {
    const key = `${action} ${provider}`;
    const outcome = running.current.get(key) ?? runAlone(action, call, provider);
    running.current.set(key, outcome);
    void outcome.finally(() => {
      if (running.current.get(key) === outcome) running.current.delete(key);
    });
    return outcome;
  }

  async function runAlone(action: SignInAction, call: () => Promise<SignInEvent>, provider?: string): Outcome {
    const attempt = running.current;
    // Synchronous: a user store renders synchronously, and must find the flow with a pending action.
    flushSync(() => report({ type: 'begin', action, provider }));

    function end(event: SignInEvent) {
      if (running.current === attempt) return report(event);
      // The visitor has started over: the email of before must not come back, here or after a reload.
      mailedCode(app.projectId).clear();
    }

    try {
      end(await call());
      return undefined;
    } catch (error) {
      end({ type: 'failure', action, error });
      return problemOf(action, error);
    }
  }

  return {
    step,
    report,
    signInWithPassword: credentials => run('password', () => calls.signIn(credentials)),
    signUpWithPassword: credentials => run('password', () => calls.signUp(credentials)),
    signInWithPasskey: () => run('passkey', calls.passkey),
    signInWithProvider: provider => run('provider', () => calls.provider(provider), provider),
    sendCode: email => run('send-code', () => calls.sendCode(email)),
    submitCode(code) {
      const sent = at(step, 'code');
      return run('code', () => calls.code(code, sent));
    },
    submitTotp(totp) {
      const { attemptCode } = at(step, 'second-factor');
      return run('second-factor', () => calls.totp(totp, attemptCode));
    },
    submitRecoveryCode(code) {
      const { attemptCode } = at(step, 'second-factor');
      return run('second-factor', () => calls.recoveryCode(code, attemptCode));
    },
    submitVerificationCode(code) {
      const { nonce } = at(step, 'verification');
      return run('verification', () => calls.verification(code, nonce));
    },
    resend() {
      const { email } = at(step, 'verification');
      return run('resend', () => calls.resend(email));
    },
    changeEmail(email) {
      const sent = at(step, 'verification');
      return run('change-email', () => calls.changeEmail(email, sent.email));
    },
    skipVerification() {
      at(step, 'verification');
      return run('skip', calls.skipVerification);
    },
    sendPasswordReset: email => run('password-reset', () => calls.passwordReset(email)),
    startOver() {
      running.current = new Map();
      calls.forget();
      report(moveTo({ step: 'start' }));
    },
  };
}

/** A code or a second factor that this tab waits for survives a reload, because phones discard pages in the background. */
function firstStep(projectId: string, secondFactor: CallOptions['secondFactor']): SignInStep {
  const attemptCode = secondFactor === 'here' ? storedAttempt.read() : undefined;
  if (attemptCode !== undefined) return nextStep(start, secondFactorOf(attemptCode));
  const sent = mailedCode(projectId).read();
  return sent === undefined ? start : nextStep(start, moveTo({ step: 'code', ...sent }));
}

/** @throws where the flow is at another step: a mistake of the page. */
function at<Name extends SignInStep['step']>(step: SignInStep, name: Name): SignInStep & { readonly step: Name } {
  if (step.step !== name) throw new TypeError(`This needs the step ${name}, but the flow is at ${step.step}.`);
  return step as SignInStep & { readonly step: Name };
}

/** The flow of our own pages: each step has a page and an address of its own. */
export function usePageFlow(options: Pick<CallOptions, 'aroundPassword' | 'afterVerification'> = {}): SignInFlow {
  return useSignInFlow({ secondFactor: 'page', redirect: true, ...options });
}
