import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import type { Subject, UserLevel } from './subject.ts';

/** The approximate location of an IP address. */
export interface GeoInfo {
  /** The IP address. */
  readonly ip: string;
  /** ISO 3166 code of two letters. */
  readonly countryCode?: string | null;
  /** Code of the region. */
  readonly regionCode?: string | null;
  /** The nearest city. */
  readonly cityName?: string | null;
  /** In degrees north. */
  readonly latitude?: number | null;
  /** In degrees east. */
  readonly longitude?: number | null;
  /** E.g. `Europe/Berlin`. */
  readonly tzIdentifier?: string | null;
}

/** A session of a user. A snapshot. */
export interface ActiveSession {
  /** Id of the session. */
  readonly id: string;
  /** Id of the user. */
  readonly userId: string;
  /** Creation time. */
  readonly createdAt: Date;
  /** Whether a server created it to impersonate the user. */
  readonly isImpersonation: boolean;
  /** Time of the last use; undefined when it was never used. */
  readonly lastUsedAt: Date | undefined;
  /** Whether it is the session of this request. */
  readonly isCurrentSession: boolean;
  /** Location of the last use, when known. */
  readonly geoInfo?: GeoInfo;
}

/** Session management. Not cached. */
export interface ActiveSessionMethods {
  /** The user's sessions, newest first. */
  getActiveSessions(): Promise<readonly ActiveSession[]>;
  /** Ends a session. @throws for the session of this request. */
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
