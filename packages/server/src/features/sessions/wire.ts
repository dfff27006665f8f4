import type { Answer, deviceSessionEndpoints, sessionEndpoints } from '@tessera/protocol';
import type { Device } from '../../platform/network/device.ts';
import type { Refreshed } from './refresh/refresh.ts';
import type { SessionRow } from './store.ts';

type SessionView = Answer<typeof sessionEndpoints.list>['items'][number];

/** docs/contract/tokens-and-sessions.md#session-list: unknown fields are absent. */
export function sessionView(session: SessionRow, currentSessionId: string | undefined): SessionView {
  return {
    id: session.id,
    user_id: session.userId,
    created_at: session.createdAtMillis,
    is_impersonation: session.isImpersonation,
    ...(session.lastUsedAtMillis === null ? {} : { last_used_at: session.lastUsedAtMillis }),
    is_current_session: session.id === currentSessionId,
    ...(session.place === null ? {} : { last_used_at_end_user_ip_info: session.place }),
  };
}

type DeviceSessionView = Answer<typeof deviceSessionEndpoints.list>['items'][number];

export function deviceSessionView(
  session: SessionRow,
  { device, currentSessionId }: { device: Device; currentSessionId: string | undefined },
): DeviceSessionView {
  return {
    id: session.id,
    user_id: session.userId,
    created_at_millis: session.createdAtMillis,
    expires_at_millis: session.expiresAtMillis,
    last_used_at_millis: session.lastUsedAtMillis,
    is_current: session.id === currentSessionId,
    is_impersonation: session.isImpersonation,
    device,
    address: session.address,
    country_code: session.countryCode,
    place: session.place,
  };
}

/** The refresh token is present only in a project that rotates refresh tokens. */
export function refreshedView({ accessToken, refreshToken }: Refreshed) {
  return { access_token: accessToken, ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }) };
}
