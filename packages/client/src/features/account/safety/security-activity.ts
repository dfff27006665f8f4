import type { SecurityAction } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import { lazily } from '../../../util/once.ts';
import type { DeviceSession } from './active-sessions.ts';

/** Something that happened to the account of the user. A snapshot. */
export interface SecurityEvent {
  /** Id of the event. */
  readonly id: string;
  /** Time of the event. */
  readonly at: Date;
  /** What happened. */
  readonly action: SecurityAction;
  /** Whether it came from the user or from a caller who tried to sign in. False: the app did it. */
  readonly isOwn: boolean;
  /** IP address of the caller; null when the app did it. */
  readonly address: string | null;
  /** The device of the caller; unknown parts are null. */
  readonly device: DeviceSession['device'];
}

/** A page of the security activity. */
export type SecurityActivityPage = SecurityEvent[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** What happened to the account of the signed-in user. Not cached. */
export interface SecurityActivityMethods {
  /**
   * Sign-ins, changes of sign-in methods and ended sessions of the user, newest first, one page at a time.
   *
   * @example
   * const page = await user.getSecurityActivity({ limit: 20 });
   */
  getSecurityActivity(options?: {
    /** `nextCursor` of the page before. */
    readonly cursor?: string | undefined;
    /** Size of a page. Default and maximum 50. */
    readonly limit?: number | undefined;
  }): Promise<SecurityActivityPage>;
}

const names: Record<keyof SecurityActivityMethods, true> = { getSecurityActivity: true };

export function securityActivity(ctx: Context<'client'>, session: Session): SecurityActivityMethods {
  return lazily(names, async () => (await import('./security-activity-flow.ts')).securityActivityFlow(ctx, session));
}
