import { isKnown, KnownErrors } from '@tessera/protocol/errors';
import type { Context } from '../../../app/context.ts';
import { resultOf } from '../../../errors/known-result.ts';
import { pageOf } from '../../../navigation/page-of.ts';
import type { Session } from '../../../session/session.ts';
import { register, runSinglePrompt } from '../../sign-in/passkey/passkey-ceremony.ts';
import type { PasskeyRegistrationMethods } from './passkey-registration.ts';

type Options = NonNullable<Parameters<PasskeyRegistrationMethods['registerPasskey']>[0]>;

export function passkeyRegistrationFlow(ctx: Context<'client'>, session: Session): PasskeyRegistrationMethods {
  function prompt({ hostname = new URL(pageOf(ctx, 'registerPasskey').href()).hostname, signal }: Options) {
    return runSinglePrompt(signal, async assertWanted => {
      const { code, options_json } = await ctx.call('POST /auth/passkey/initiate-passkey-registration', { session });
      assertWanted();
      return { code, credential: await register(options_json, hostname) };
    });
  }

  async function registerPasskey(options: Options): Promise<undefined> {
    const { code, credential } = await prompt(options);
    await ctx.call('POST /auth/passkey/register', { body: { code, credential }, session }).catch(throwPromptExpired);
    await ctx.resources.renew('user', session);
  }

  return {
    registerPasskey: (options = {}) =>
      resultOf(registerPasskey(options), ['PASSKEY_REGISTRATION_FAILED', 'PASSKEY_WEBAUTHN_ERROR']),
  };
}

/** A challenge lives for about a minute. After that the user must be prompted again. */
function throwPromptExpired(error: unknown): never {
  if (!isKnown(error, 'VERIFICATION_ERROR')) throw error;
  throw new KnownErrors.PasskeyRegistrationFailed('The prompt was open for too long. Please try again.');
}
