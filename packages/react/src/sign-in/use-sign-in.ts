import { useEffect } from 'react';
import { useProjectState, useUserState } from '../hooks/read-state.ts';
import { type AuthOffer, type AuthType, authOffer, authState } from './auth-state.ts';
import { isOpen, type SignInStep } from './machine.ts';
import { usePasskeyAutofill } from './use-passkey-autofill.ts';
import { type SignInFlow, useSignInFlow } from './use-sign-in-flow.ts';

/** Options of `useSignIn` and `useSignUp`. */
export interface SignInOptions {
  /** Whether a completed flow goes on to `urls.afterSignIn` or `urls.afterSignUp`. Default true. */
  readonly redirect?: boolean | undefined;
}

/** The state of a sign-in or sign-up: what the page shows. */
export type SignInState =
  | {
      /** The project and the user are being read. */
      readonly step: 'loading';
    }
  | {
      /** The project or the user could not be read: offer `retry`. */
      readonly step: 'failed';
      readonly error: unknown;
    }
  | {
      /** The visitor was signed in already. */
      readonly step: 'signed-in';
    }
  | {
      /** `useSignUp` only: the project takes no new accounts. */
      readonly step: 'sign-up-disabled';
    }
  | SignInStep;

/** What `useSignIn` and `useSignUp` share. */
interface SharedFlow
  extends Pick<
    SignInFlow,
    'sendCode' | 'submitCode' | 'signInWithProvider' | 'submitTotp' | 'submitRecoveryCode' | 'startOver'
  > {
  /** What the page shows. */
  readonly state: SignInState;
  /** The methods of the project; none while they are loading. */
  readonly methods: SignInMethods;
  /** Reads the project and the user again. */
  readonly retry: () => Promise<void>;
}

/** The sign-in methods that a project offers. */
export interface SignInMethods {
  readonly password: boolean;
  /** An email with a code, and with a link. */
  readonly emailCode: boolean;
  readonly passkey: boolean;
  /** Ids of the providers, in the order of the project. */
  readonly providers: readonly string[];
}

/** A sign-in: its state, and what can be done in it. */
export interface SignInHook
  extends SharedFlow,
    Pick<SignInFlow, 'signInWithPassword' | 'signInWithPasskey' | 'sendPasswordReset'> {
  /**
   * Whether the browser offers passkeys in an input with `autoComplete="username webauthn"`. A chosen passkey signs in.
   */
  readonly offersPasskeys: boolean;
}

/** A sign-up: its state, and what can be done in it. */
export interface SignUpHook
  extends SharedFlow,
    Pick<SignInFlow, 'signUpWithPassword' | 'submitVerificationCode' | 'resend' | 'changeEmail' | 'skipVerification'> {}

/**
 * A sign-in as a state machine, for pages of your own: every method, error and second step. Actions resolve to the problem,
 * which `state.problem` has too, and never reject. docs/custom-pages.md has the states and a whole page.
 *
 * @example
 * const signIn = useSignIn();
 * if (signIn.state.step === 'start') await signIn.signInWithPassword({ email, password });
 */
export function useSignIn(options: SignInOptions = {}): SignInHook {
  const { flow, ...shared } = useFlow('sign-in', options);
  const offersPasskeys = usePasskeyAutofill({
    isOffered: shared.methods.passkey && shared.state.step === 'start',
    isPaused: flow.step.pending?.action === 'passkey',
    secondFactor: 'here',
    redirect: options.redirect ?? true,
    report: flow.report,
  });
  const { signInWithPassword, signInWithPasskey, sendPasswordReset } = flow;
  return { ...shared, offersPasskeys, signInWithPassword, signInWithPasskey, sendPasswordReset };
}

/**
 * A sign-up as a state machine, for pages of your own. A visitor who has an account already can end in it: an emailed code
 * or a provider signs in to an existing account, also with its second factor. Where the project asks for the code of the
 * verification email, the step `verification` follows a sign-up with a password.
 *
 * @example
 * const signUp = useSignUp();
 * if (signUp.state.step === 'start') await signUp.signUpWithPassword({ email, password });
 * if (signUp.state.step === 'verification') await signUp.submitVerificationCode('A1B2C3');
 */
export function useSignUp(options: SignInOptions = {}): SignUpHook {
  const { flow, ...shared } = useFlow('sign-up', options);
  const { signUpWithPassword, submitVerificationCode, resend, changeEmail, skipVerification } = flow;
  return { ...shared, signUpWithPassword, submitVerificationCode, resend, changeEmail, skipVerification };
}

function useFlow(type: AuthType, { redirect = true }: SignInOptions) {
  const user = useUserState();
  const project = useProjectState();
  const flow = useSignInFlow({ secondFactor: 'here', redirect });
  const config = project.value?.config;
  const error = project.error ?? user.error;
  const isSignedIn = user.value === undefined ? undefined : user.value !== null;
  useSignOutEvent(isSignedIn, flow.report);

  const page = authState({
    type,
    config,
    isSignedIn,
    hasFailed: error !== undefined,
    isSubmitting: isOpen(flow.step) || flow.step.step === 'complete',
    sendsOn: false,
  });
  const { sendCode, submitCode, signInWithProvider, submitTotp, submitRecoveryCode, startOver } = flow;
  return {
    flow,
    state: stateOf(page, flow.step, error),
    methods: methodsOf(config && authOffer(type, config)),
    retry: async () => void (await Promise.all([project.retry(), user.retry()])),
    ...{ sendCode, submitCode, signInWithProvider, submitTotp, submitRecoveryCode, startOver },
  };
}

/** Reports the end of a session while the page is shown. */
function useSignOutEvent(isSignedIn: boolean | undefined, report: SignInFlow['report']): void {
  useEffect(() => {
    if (isSignedIn) return () => report({ type: 'sign-out' });
  }, [isSignedIn, report]);
}

function stateOf(page: ReturnType<typeof authState>, step: SignInStep, error: unknown): SignInState {
  if (page === 'form') return step;
  if (page === 'failed') return { step: 'failed', error };
  return { step: page === 'leaving' ? 'signed-in' : page };
}

function methodsOf(offer: AuthOffer | undefined): SignInMethods {
  return {
    password: offer?.tabs.includes('password') ?? false,
    emailCode: offer?.tabs.includes('magic-link') ?? false,
    passkey: offer?.hasPasskey ?? false,
    providers: offer?.providers ?? [],
  };
}
