import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import type { Subject, UserLevel } from './subject.ts';

/** Where an address on the internet probably is. */
export interface GeoInfo {
  /** The address that it was last used from. */
  readonly ip: string;
  /** Two letters. */
  readonly countryCode?: string | null;
  /** The code of a part of the country. */
  readonly regionCode?: string | null;
  /** The nearest larger place. */
  readonly cityName?: string | null;
  /** In degrees north. */
  readonly latitude?: number | null;
  /** In degrees east. */
  readonly longitude?: number | null;
  /** E.g. `Europe/Berlin`. */
  readonly tzIdentifier?: string | null;
}

/** A session that a user has somewhere. A snapshot. */
export interface ActiveSession {
  /** Id of the session. */
  readonly id: string;
  /** Whose it is. */
  readonly userId: string;
  /** When it began. */
  readonly createdAt: Date;
  /** Whether a server opened it to act as the user. */
  readonly isImpersonation: boolean;
  /** Undefined when it was never used. */
  readonly lastUsedAt: Date | undefined;
  /** Whether it is the session that asks. */
  readonly isCurrentSession: boolean;
  /** Where it was last used, as far as that can be told. */
  readonly geoInfo?: GeoInfo;
}

/** Looking after sessions. Nothing of it is cached. */
export interface ActiveSessionMethods {
  /** The user's sessions, newest first. */
  getActiveSessions(): Promise<readonly ActiveSession[]>;
  /** Ends a session. @throws when it is the one that asks. */
  revokeSession(sessionId: string): Promise<void>;
}

type SessionJson = Reply<Routes['GET /auth/sessions'], 'client'>['items'][number];

export function activeSessions(ctx: Context<UserLevel>): (subject: Subject) => ActiveSessionMethods {
  return ({ session, userId }) => ({
    async getActiveSessions() {
      const { items } = await ctx.call('GET /auth/sessions', { query: { user_id: userId }, session });
      return items.map(activeSessionFromWire);
    },
    async revokeSession(id) {
      await ctx.call('DELETE /auth/sessions/{id}', { params: { id }, query: { user_id: userId }, session });
    },
  });
}

export function activeSessionFromWire(wire: SessionJson): ActiveSession {
  const place = wire.last_used_at_end_user_ip_info;
  return Object.freeze({
    id: wire.id,
    userId: wire.user_id,
    createdAt: new Date(wire.created_at),
    isImpersonation: wire.is_impersonation,
    lastUsedAt: wire.last_used_at === undefined ? undefined : new Date(wire.last_used_at),
    isCurrentSession: wire.is_current_session ?? false,
    ...(place && { geoInfo: Object.freeze(place) }),
  });
}
