import { AdminApp } from '../app/admin-app.ts';
import { ClientApp } from '../app/app.ts';
import type { AnyAppOptions } from '../app/config/config.ts';
import { ServerApp } from '../app/server-app.ts';
import type { UserJson } from '../features/account/user.ts';
import { node } from '../platform/node.ts';
import type { Platform } from '../platform/platform.ts';
import { createStubServer, type StubRoutes } from './stub-server.ts';

export const settings = {
  projectId: 'p1',
  publishableClientKey: 'pck',
  baseUrl: 'https://auth.example',
  tokenStore: 'memory',
} as const;

/** An app on a platform of the test. The public constructor takes no platform. */
export function clientApp<HasTokenStore extends boolean = true>(
  platform: Platform,
  options: Partial<AnyAppOptions> = {},
): ClientApp<HasTokenStore> {
  return Reflect.construct(ClientApp, [{ ...settings, ...options }, platform]);
}

export function serverApp(platform: Platform, options: Partial<AnyAppOptions> = {}): ServerApp<true> {
  return Reflect.construct(ServerApp, [{ ...settings, secretServerKey: 'ssk', ...options }, platform]);
}

export function adminApp(platform: Platform, options: Partial<AnyAppOptions> = {}): AdminApp<true> {
  const keys = { secretServerKey: 'ssk', superSecretAdminKey: 'sak' };
  return Reflect.construct(AdminApp, [{ ...settings, ...keys, ...options }, platform]);
}

/** A server: no page. */
export function machine(fetch: typeof globalThis.fetch): Platform {
  return { ...node(), fetch, random: () => 0.5, isOnline: () => undefined };
}

/** An admin app whose requests go to a stub server. */
export function openAdmin(routes: StubRoutes = {}) {
  const server = createStubServer(routes);
  return { server, app: adminApp(machine(server.fetch)) };
}

export const userJson: UserJson = {
  id: '3241a285-8329-4d69-8f3d-316e08cf140c',
  primary_email: 'ada@example.com',
  primary_email_verified: false,
  display_name: 'Ada',
  client_metadata: { theme: 'dark' },
  client_read_only_metadata: null,
  profile_image_url: null,
  signed_up_at_millis: 1_752_000_000_000,
  has_password: true,
  auth_with_email: true,
  oauth_providers: [],
  selected_team_id: null,
  selected_team: null,
  requires_totp_mfa: false,
  otp_auth_enabled: false,
  passkey_auth_enabled: false,
  is_anonymous: false,
};

export const serverUserJson = {
  ...userJson,
  selected_team: null,
  primary_email_auth_enabled: true,
  server_metadata: { plan: 'secret' },
  last_active_at_millis: 1_752_000_001_000,
};
