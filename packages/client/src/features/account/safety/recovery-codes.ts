import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';

/** The recovery codes of a user. A snapshot. */
export interface RecoveryCodeStatus {
  /** The number of unused codes. */
  readonly remaining: number;
  /** Creation time; null when there are none. */
  readonly createdAt: Date | null;
}

/** Recovery codes: each replaces the authenticator app in one sign-in. */
export interface RecoveryCodeMethods {
  /** How many codes are left. Not cached. */
  getRecoveryCodeStatus(): Promise<RecoveryCodeStatus>;
  /**
   * Creates ten new codes. Earlier ones stop working. Show them at once: they cannot be read again.
   *
   * @throws `SECOND_FACTOR_NOT_ENABLED` without two-step verification, `REAUTHENTICATION_REQUIRED`.
   * @example
   * const codes = await user.createRecoveryCodes();
   */
  createRecoveryCodes(): Promise<string[]>;
}

export function recoveryCodes(ctx: Context<'client'>, session: Session): RecoveryCodeMethods {
  return {
    async getRecoveryCodeStatus() {
      const { remaining, created_at_millis } = await ctx.call('GET /extensions/recovery-codes', { session });
      const createdAt = created_at_millis === null ? null : new Date(created_at_millis);
      return Object.freeze({ remaining, createdAt });
    },
    async createRecoveryCodes() {
      return (await ctx.call('POST /extensions/recovery-codes', { session })).codes;
    },
  };
}
