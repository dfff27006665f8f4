import type { AccessLevel, Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import type { Subject } from '../subject.ts';

/** The approximate location of an IP address. */
export interface GeoInfo {
  /** The IP address. */
  readonly ip: string;
  /** ISO 3166 code of two letters. */
  readonly countryCode?: string | null | undefined;
  /** Code of the region. */
  readonly regionCode?: string | null | undefined;
  /** The nearest city. */
  readonly cityName?: string | null | undefined;
  /** In degrees north. */
  readonly latitude?: number | null | undefined;
  /** In degrees east. */
  readonly longitude?: number | null | undefined;
  /** E.g. `Europe/Berlin`. */
  readonly tzIdentifier?: string | null | undefined;
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
  readonly geoInfo?: GeoInfo | undefined;
}

/** A session of a user with its device. A snapshot. */
export interface DeviceSession {
  /** Id of the session. */
  readonly id: string;
  /** Id of the user. */
  readonly userId: string;
  /** Creation time. */
  readonly createdAt: Date;
  /** The session ends at this time. */
  readonly expiresAt: Date;
  /** Time of the last use; null when it was never used. */
  readonly lastUsedAt: Date | null;
  /** Whether it is the session of this request. */
  readonly isCurrentSession: boolean;
  /** Whether a server created it to impersonate the user. */
  readonly isImpersonation: boolean;
  /** The device; unknown parts are null. */
  readonly device: {
    readonly browser: string | null;
    readonly system: string | null;
    readonly type: 'desktop' | 'mobile' | 'tablet' | 'other';
  };
  /** IP address of the last use, as trusted proxies report it; null when unknown. */
  readonly address: string | null;
  /** Country of the last use, of two letters, as a trusted proxy states it; null when unknown. */
  readonly countryCode: string | null;
  /** Location of the last use, from headers that any caller may write: not for a security decision. Null when unknown. */
  readonly geoInfo: GeoInfo | null;
}

/** Session management. Not cached. */
export interface ActiveSessionMethods {
  /**
   * The user's sessions, newest first.
   *
   * @example
   * const sessions = await user.getActiveSessions();
   */
  getActiveSessions(): Promise<ActiveSession[]>;
  /**
   * The user's sessions with device and expiry, newest first.
   *
   * @example
   * const phones = (await user.getDeviceSessions()).filter(session => session.device.type === 'mobile');
   */
  getDeviceSessions(): Promise<DeviceSession[]>;
  /** Ends a session. @throws for the session of this request. */
  revokeSession(sessionId: string): Promise<void>;
  /**
   * Ends all sessions of the user except that of this request. On a server without a session of the user: all.
   *
   * @returns the number of ended sessions.
   * @example
   * const ended = await user.revokeOtherSessions();
   */
  revokeOtherSessions(): Promise<number>;
}

type DeviceSessionJson = Reply<Routes['GET /extensions/sessions'], 'client'>['items'][number];
type SessionJson = Reply<Routes['GET /auth/sessions'], 'client'>['items'][number];

export function activeSessions(ctx: Context<AccessLevel>): (subject: Subject) => ActiveSessionMethods {
  return ({ session, userId }) => ({
    async getActiveSessions() {
      const { items } = await ctx.call('GET /auth/sessions', { query: { user_id: userId }, session });
      return items.map(activeSessionFromWire);
    },
    async getDeviceSessions() {
      const { items } = await ctx.call('GET /extensions/sessions', { query: { user_id: userId }, session });
      return items.map(deviceSessionFromWire);
    },
    async revokeOtherSessions() {
      const query = { user_id: userId };
      return (await ctx.call('DELETE /extensions/sessions/others', { query, session })).ended;
    },
    async revokeSession(id) {
      await ctx.call('DELETE /auth/sessions/{id}', { params: { id }, query: { user_id: userId }, session });
    },
  });
}

function activeSessionFromWire(wire: SessionJson): ActiveSession {
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

function deviceSessionFromWire(wire: DeviceSessionJson): DeviceSession {
  return Object.freeze({
    id: wire.id,
    userId: wire.user_id,
    createdAt: new Date(wire.created_at_millis),
    expiresAt: new Date(wire.expires_at_millis),
    lastUsedAt: wire.last_used_at_millis === null ? null : new Date(wire.last_used_at_millis),
    isCurrentSession: wire.is_current,
    isImpersonation: wire.is_impersonation,
    device: Object.freeze(wire.device),
    // Absent on a server before these fields.
    address: wire.address ?? null,
    countryCode: wire.country_code ?? null,
    geoInfo: wire.place && Object.freeze(wire.place),
  });
}
