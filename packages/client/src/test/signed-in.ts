import type { AnyAppOptions } from '../app/config/config.ts';
import { clientApp, machine, serverUserJson, userJson } from './apps.ts';
import { soon } from './soon.ts';
import { createStubServer, json } from './stub-server.ts';
import { accessToken } from './tokens.ts';

type Routes = Parameters<typeof createStubServer>[0];

/** A client app on a server, whose user has signed in. Timers are those of the test. */
export async function signedIn(routes: Routes = {}, options: Partial<AnyAppOptions> = {}) {
  const server = createStubServer({ 'GET /api/v1/users/me': () => json(userJson), ...routes });
  const tokenStore = { accessToken: accessToken(), refreshToken: 'r' };
  const app = clientApp(machine(server.fetch), { tokenStore, ...options });
  const user = await soon(app.getUser({ or: 'throw' }));
  server.seen.length = 0;
  return { server, app, user };
}

/** What was sent: `METHOD /path {body}`, below `/api/v1`. */
export function sent({ seen }: ReturnType<typeof createStubServer>): string[] {
  return seen.map(({ method, path, body }) => `${method} ${path.replace('/api/v1', '')} ${body}`.trim());
}

/** The level of each request. */
export function levels({ seen }: ReturnType<typeof createStubServer>): (string | null)[] {
  return seen.map(({ headers }) => headers.get('x-stack-access-type'));
}

export function list<Item>(...items: Item[]): Response {
  return json({ items, is_paginated: false });
}

export const success = () => json({ success: true });

export const teamJson = {
  id: 't1',
  display_name: 'Crew',
  profile_image_url: null,
  client_metadata: null,
  client_read_only_metadata: null,
};

export const serverTeamJson = { ...teamJson, server_metadata: null, created_at_millis: 5 };

export { serverUserJson, userJson };
