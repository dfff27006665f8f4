import type { Json } from '@tessera/protocol';
import { isKnown, KnownErrors } from '@tessera/protocol/errors';
import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import { resultOf } from '../../../errors/known-result.ts';
import type { Result } from '../../../errors/result.ts';
import { finishSignIn } from '../finish.ts';
import { handleSecondFactor, type SecondFactorOption } from '../second-factor/second-factor.ts';
import { promptForPasskey } from './passkey-ceremony.ts';
import { signalWhenUnknown } from './passkey-signals.ts';

/** How to ask for a passkey. */
export interface PasskeySignInOptions extends SecondFactorOption {
  /**
   * Offer passkeys where the browser fills in forms, instead of in a window of their own: the page then needs an input
   * whose `autocomplete` ends with `webauthn`. Stays open until the user chooses one, or another prompt opens.
   */
  readonly autofill?: boolean | undefined;
  /** Takes the prompt away. */
  readonly signal?: AbortSignal | undefined;
  /** Stay on the page after success. */
  readonly noRedirect?: boolean | undefined;
}

/** Signing in with a passkey. */
export interface PasskeyMethods {
  /**
   * Asks for a passkey and signs in with it, then goes to `urls.afterSignIn`. A user with a second factor is sent to
   * `urls.mfa` instead. One prompt at a time: a new one takes an older one away, which then fails with
   * `PASSKEY_WEBAUTHN_ERROR` and the code `ERROR_CEREMONY_ABORTED`.
   *
   * @throws when the project or the browser does not offer passkeys, or the server cannot be reached.
   */
  signInWithPasskey(
    options?: PasskeySignInOptions,
  ): Promise<
    Result<
      undefined,
      Caught<'PASSKEY_AUTHENTICATION_FAILED'> | Caught<'INVALID_TOTP_CODE'> | Caught<'PASSKEY_WEBAUTHN_ERROR'>
    >
  >;
}

export function passkeyFlow(ctx: Context<'client'>): PasskeyMethods {
  async function signIn(options: PasskeySignInOptions): Promise<undefined> {
    const proof = await promptForPasskey(ctx, 'signInWithPasskey', options);
    const call = ctx.call('POST /auth/passkey/sign-in', { body: proof, session: await ctx.sessions.of() });
    const signedIn = await handleSecondFactor(
      ctx,
      call.catch(throwPromptExpired).catch(signalRefused(proof.authentication_response)),
      options,
    );
    await finishSignIn(ctx, signedIn, { page: 'afterSignIn', noRedirect: options.noRedirect });
  }

  /** A passkey that the account no longer has must not be offered again. */
  function signalRefused(response: Json): (error: unknown) => Promise<never> {
    return async error => {
      const id = typeof response === 'object' && response !== null && 'id' in response ? response.id : undefined;
      // An older server does not have the endpoint.
      if (isKnown(error, 'PASSKEY_AUTHENTICATION_FAILED') && typeof id === 'string')
        await signalWhenUnknown(ctx, id).catch(() => undefined);
      throw error;
    };
  }

  return {
    signInWithPasskey: (options = {}) =>
      resultOf(signIn(options), ['PASSKEY_AUTHENTICATION_FAILED', 'INVALID_TOTP_CODE', 'PASSKEY_WEBAUTHN_ERROR']),
  };
}

/** A challenge lives for about a minute. After that the user must be prompted again. */
function throwPromptExpired(error: unknown): never {
  if (!isKnown(error, 'VERIFICATION_ERROR')) throw error;
  throw new KnownErrors.PasskeyAuthenticationFailed('The prompt was open for too long. Please try again.');
}
