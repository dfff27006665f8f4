import type { Context } from '../../app/context.ts';
import type { Subject } from '../account/subject.ts';

/** Since when and why a user cannot sign in. */
export interface UserSuspension {
  /** When the suspension began. */
  readonly suspendedAt: Date;
  /** A text for the people who manage users; the user never sees it. */
  readonly reason: string | null;
}

/** Suspending a user. */
export interface SuspensionMethods {
  /**
   * Ends all sessions of the user and refuses new ones, and the user's API keys, until the suspension ends. For a suspended
   * user it replaces the reason.
   *
   * @param options.reason at most 500 characters, in the audit log. Default: none
   * @example
   * const member = await app.getUser(userId);
   * await member?.suspend({ reason: 'Sends spam' });
   */
  suspend(options?: { reason?: string | null | undefined }): Promise<void>;
  /** Allows the user to sign in again. */
  endSuspension(): Promise<void>;
  /** The suspension of the user; null when the user may sign in. Not cached. */
  getSuspension(): Promise<UserSuspension | null>;
}

const path = '/extensions/users/{user_id}/suspension';

export function createUserSuspensions({ call }: Context<'server'>): (subject: Subject) => SuspensionMethods {
  return ({ userId }) => {
    const target = { params: { user_id: userId }, session: null };
    return {
      async suspend({ reason = null } = {}) {
        await call(`PUT ${path}`, { ...target, body: { reason } });
      },
      async endSuspension() {
        await call(`DELETE ${path}`, target);
      },
      async getSuspension() {
        const { suspension } = await call(`GET ${path}`, target);
        if (suspension === null) return null;
        const { suspended_at_millis: atMillis, reason } = suspension;
        return Object.freeze({ suspendedAt: new Date(atMillis), reason });
      },
    };
  };
}
