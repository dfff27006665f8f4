import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import type { Result } from '../../../errors/result.ts';
import type { Session } from '../../../session/session.ts';
import { lazily } from '../../../util/once.ts';

/** A method by which the signed-in user can reauthenticate. */
export interface ReauthenticationMethod {
  /** The proof. */
  readonly method: 'passkey' | 'password' | 'code';
  /** Whether a second factor is needed too: the code of an authenticator app, or a recovery code. */
  readonly needsTotp: boolean;
}

/** A proof of the identity of the signed-in user, with the second factor where it is needed. */
export type ReauthenticationProof = (
  | { readonly password: string }
  /** `code`: the characters of the email, followed by the nonce of `sendReauthenticationCode`. */
  | { readonly code: string }
  /** Prompts for a passkey of the user. */
  | { readonly passkey: true }
) &
  (
    | { readonly totp?: string | undefined; readonly recoveryCode?: never }
    /** Replaces the code of the authenticator app, and is used up. */
    | { readonly recoveryCode: string; readonly totp?: never }
  );

/** Reauthentication: makes an old session fresh enough for a sensitive change. */
export interface ReauthenticationMethods {
  /**
   * The methods by which the user can reauthenticate, the quickest first. Empty: the user must sign in again.
   *
   * @example
   * const [quickest] = await user.getReauthenticationMethods();
   */
  getReauthenticationMethods(): Promise<ReauthenticationMethod[]>;
  /**
   * Emails a code to the primary address of the user.
   *
   * @returns the nonce: the code is the six characters of the email, followed by it.
   * @throws when the address is not verified.
   */
  sendReauthenticationCode(): Promise<string>;
  /**
   * Proves the identity of the user. The session then counts as a new sign-in for changes that are refused with
   * `REAUTHENTICATION_REQUIRED`.
   *
   * @example
   * const result = await user.reauthenticate({ password });
   * if (result.status === 'ok') await user.update({ totpMultiFactorSecret: null });
   */
  reauthenticate(
    proof: ReauthenticationProof,
  ): Promise<
    Result<
      undefined,
      | Caught<'PASSWORD_CONFIRMATION_MISMATCH'>
      | Caught<'VERIFICATION_ERROR'>
      | Caught<'INVALID_TOTP_CODE'>
      | Caught<'INVALID_RECOVERY_CODE'>
      | Caught<'PASSKEY_AUTHENTICATION_FAILED'>
      | Caught<'PASSKEY_WEBAUTHN_ERROR'>
    >
  >;
}

const names: Record<keyof ReauthenticationMethods, true> = {
  getReauthenticationMethods: true,
  sendReauthenticationCode: true,
  reauthenticate: true,
};

export function reauthentication(ctx: Context<'client'>, session: Session): ReauthenticationMethods {
  return lazily(names, async () => (await import('./reauthentication-flow.ts')).reauthenticationFlow(ctx, session));
}
