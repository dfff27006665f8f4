import { isKnown, KnownErrors } from '@tessera/protocol/errors';
import type { Context } from '../../context.ts';
import { resultOf } from '../../known-result.ts';
import { pageOf } from '../../page-of.ts';
import { finishSignIn } from './finish.ts';
import type { PasskeyMethods, PasskeySignInOptions } from './passkey.ts';
import { asOnlyPrompt, authenticate } from './passkey-ceremony.ts';
import { orSecondFactor } from './second-factor.ts';

export function passkeyFlow(ctx: Context<'client'>): PasskeyMethods {
  /** The answer of the authenticator, with the code of the challenge that it answers. */
  function prompt({ autofill = false, signal }: PasskeySignInOptions) {
    const { hostname } = new URL(pageOf(ctx, 'signInWithPasskey').href());
    return asOnlyPrompt(signal, async assertWanted => {
      const { code, options_json } = await ctx.call('POST /auth/passkey/initiate-passkey-authentication', {
        session: null,
      });
      assertWanted();
      return { code, response: await authenticate(options_json, hostname, autofill) };
    });
  }

  async function signIn(options: PasskeySignInOptions): Promise<undefined> {
    const { code, response } = await prompt(options);
    const call = ctx.call('POST /auth/passkey/sign-in', {
      body: { code, authentication_response: response },
      session: await ctx.sessions.of(),
    });
    const signedIn = await orSecondFactor(ctx, call.catch(throwPromptExpired));
    await finishSignIn(ctx, signedIn, { page: 'afterSignIn', noRedirect: options.noRedirect });
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
