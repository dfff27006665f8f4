import type { ClientApp, ProviderName, Result } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';
import { storedAttempt } from './attempt.ts';
import { noteProvider, type SignInMethod, signInBy } from './last-used.ts';
import { endsAttempt, moveTo, type SignInEvent, secondFactorOf } from './machine.ts';
import { type MailedCode, mailedCode } from './mailed-code.ts';
import { resetAddress } from './reset-address.ts';

/** An email address and a password. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** What a flow does after a sign-in, and where it asks for a second factor. */
export interface CallOptions {
  /** `here` stays on the page and goes to the step `second-factor`. `page` goes to `urls.mfa`. */
  readonly secondFactor: 'here' | 'page';
  /** Whether a completed flow goes on to the page for signed-in visitors. */
  readonly redirect: boolean;
  /** Runs the sign-in with a password, and may keep the visitor on the page after it. Default: runs it as it is. */
  readonly aroundPassword?: AroundSignIn | undefined;
  /** Runs after the step `verification`, before the page is left. */
  readonly afterVerification?: (() => Promise<void>) | undefined;
}

/** Runs a sign-in with additional options. With `noRedirect` it leaves the page itself. */
export type AroundSignIn = <Outcome extends Result<unknown, Error>>(
  signIn: (options: { noRedirect?: true }) => Promise<Outcome>,
) => Promise<Outcome>;

const asItIs: AroundSignIn = signIn => signIn({});

/** The actions of a sign-in without React: each resolves to what happened, and rejects with the error. */
export function signInCalls(app: ClientApp<true>, callOptions: CallOptions) {
  const { secondFactor, redirect, aroundPassword = asItIs } = callOptions;
  const stay = redirect ? {} : { noRedirect: true };
  const options = { ...stay, ...(secondFactor === 'here' && { secondFactor: 'throw' as const }) };
  const kept = mailedCode(app.projectId);

  return {
    signIn: ({ email, password }: Credentials) =>
      completeBy('password', () =>
        aroundPassword(extra => app.signInWithCredential({ email: email.trim(), password, ...options, ...extra })),
      ),

    passkeyAutofill: (signal: AbortSignal) =>
      // Not noted as the last used method: the prompt is open as long as the page is.
      complete(() => app.signInWithPasskey({ autofill: true, signal, ...options })),

    passkey: () => completeBy('passkey', () => app.signInWithPasskey(options)),

    async provider(provider: string): Promise<SignInEvent> {
      noteProvider(provider);
      // An app may register the ids of its providers as types; the page shows those that the project has.
      await app.signInWithOAuth(provider as ProviderName);
      return { type: 'cancel' };
    },

    async sendCode(typed: string): Promise<SignInEvent> {
      const email = typed.trim();
      const { nonce } = dataOf(await app.sendMagicLinkEmail(email));
      const sent = { email, nonce, sentAtMillis: Date.now() };
      kept.write(sent);
      return moveTo({ step: 'code', ...sent });
    },

    async code(code: string, sent: MailedCode): Promise<SignInEvent> {
      // Before the request: after sign-in the client redirects, and no code runs after that.
      kept.clear();
      try {
        return await completeBy('magic-link', () => app.signInWithMagicLink(code + sent.nonce, options));
      } catch (error) {
        kept.write(sent);
        throw error;
      }
    },

    totp: (totp: string, attemptCode: string) => completeAttempt(() => app.signInWithMfa(totp, attemptCode, stay)),

    recoveryCode: (code: string, attemptCode: string) =>
      completeAttempt(() => app.signInWithRecoveryCode(code, attemptCode, stay)),

    async passwordReset(typed: string): Promise<SignInEvent> {
      const email = typed.trim();
      // The result is ignored: the page must not reveal whether the account exists.
      const address = resetAddress(app);
      const sentAtMillis = Date.now();
      await app.sendForgotPasswordEmail(email, { callbackUrl: address.callbackUrl(sentAtMillis) });
      address.write(email, sentAtMillis);
      return moveTo({ step: 'password-reset', email, sentAtMillis });
    },

    forget(): void {
      kept.clear();
      storedAttempt.clear();
    },
  };
}

async function completeBy(method: SignInMethod, call: () => Promise<Result<unknown, Error>>): Promise<SignInEvent> {
  const { event } = await signInBy(method, async () => ({ status: 'ok', event: await complete(call) }) as const);
  return event;
}

async function complete(call: () => Promise<Result<unknown, Error>>): Promise<SignInEvent> {
  try {
    dataOf(await call());
    return moveTo({ step: 'complete' });
  } catch (error) {
    if (!hasCode(error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) throw error;
    return secondFactorOf(error.details.attempt_code);
  }
}

async function completeAttempt(call: () => Promise<Result<unknown, Error>>): Promise<SignInEvent> {
  try {
    dataOf(await call());
  } catch (error) {
    if (endsAttempt(error)) storedAttempt.clear();
    throw error;
  }
  storedAttempt.clear();
  return moveTo({ step: 'complete' });
}

export function dataOf<Data>(result: Result<Data, Error>): Data {
  if (result.status === 'error') throw result.error;
  return result.data;
}
