import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import type { Result } from '../../../errors/result.ts';
import type { Session } from '../../../session/session.ts';
import { lazily } from '../../../util/once.ts';

/** Passkeys of the signed-in user. */
export interface PasskeyRegistrationMethods {
  /**
   * Opens a prompt for a new passkey, and registers it. A new prompt aborts an older one.
   *
   * @throws when the project or the browser does not offer passkeys, or the server cannot be reached.
   */
  registerPasskey(options?: {
    /** Host name of the passkey. Default: that of the page. */
    hostname?: string | undefined;
    /** Aborts the prompt. */
    signal?: AbortSignal | undefined;
  }): Promise<Result<undefined, Caught<'PASSKEY_REGISTRATION_FAILED'> | Caught<'PASSKEY_WEBAUTHN_ERROR'>>>;
}

export function passkeyRegistration(ctx: Context<'client'>, session: Session): PasskeyRegistrationMethods {
  return lazily<PasskeyRegistrationMethods>({ registerPasskey: true }, async () =>
    (await import('./passkey-registration-flow.ts')).passkeyRegistrationFlow(ctx, session),
  );
}
