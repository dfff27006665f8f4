import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { soon } from '../../test/soon.ts';
import { json, knownError } from '../../test/stub-server.ts';
import { createWorld } from '../../test/world.ts';

// Loading a module for the first time takes longer than the set clock waits.
beforeAll(() => import('./deletion-notice.ts'));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const route = 'GET /api/v1/extensions/account-deletion';
const start = 'https://shop.example/handler/sign-in?after_auth_return_to=%2Fcart';
const project = {
  id: 'p1',
  display_name: 'Shop',
  config: {
    sign_up_enabled: true,
    credential_enabled: true,
    magic_link_enabled: false,
    passkey_enabled: false,
    client_team_creation_enabled: false,
    client_user_deletion_enabled: true,
    allow_user_api_keys: false,
    allow_team_api_keys: false,
    enabled_oauth_providers: [],
  },
};

const scheduled = () =>
  json({ scheduled: { requested_at_millis: 1, deletes_at_millis: 2 }, teams_without_successor: [] });

/** Signs in on a page that has read the project. */
async function signIn({ answer = scheduled, days = 14, from = start }: Partial<Given> = {}) {
  const { openTab, ada, server } = createWorld();
  server.routes['GET /api/v1/projects/current'] = () =>
    json(days === 0 ? project : { ...project, deletion_cooling_off_days: days });
  server.routes[route] = answer;
  const { app, visited } = openTab({ redirectMethod: 'window' }, from);
  await soon(app.getProject());
  expect(await soon(app.signInWithCredential({ ...ada, noRedirect: false }))).toMatchObject({ status: 'ok' });
  return { visited, asked: server.to(route).length, app };
}

interface Given {
  readonly answer: () => Response;
  readonly days: number;
  readonly from: string;
}

describe('a sign-in to an account that is going to be deleted', () => {
  test('leads to the page that says so, which leads on to the return address', async () => {
    const { visited } = await signIn();
    expect(visited).toEqual(['replace /handler/account-deletion?after_auth_return_to=%2Fcart']);
  });

  test('leads on without the notice when the page of the notice itself asked to sign in', async () => {
    const from = 'https://shop.example/handler/sign-in?after_auth_return_to=%2Fhandler%2Faccount-deletion';
    expect((await signIn({ from })).visited).toEqual(['replace /handler/account-deletion']);
  });

  test('succeeds without the notice when the server does not answer it', async () => {
    const { visited } = await signIn({ answer: () => knownError('ACCESS_TOKEN_EXPIRED', 401) });
    expect(visited).toEqual(['replace /cart']);
  });
});

test('a sign-in to an account that stays leads to the return address', async () => {
  const { visited } = await signIn({ answer: () => json({ scheduled: null, teams_without_successor: [] }) });
  expect(visited).toEqual(['replace /cart']);
});

test('a sign-in in a project without a cooling-off period sends no request about deletion', async () => {
  const { visited, asked } = await signIn({ days: 0 });
  expect({ visited, asked }).toEqual({ visited: ['replace /cart'], asked: 0 });
});

test('a sign-in on a page that has not read the project sends no further request', async () => {
  const { openTab, ada, server } = createWorld();
  const { app, visited } = openTab({ redirectMethod: 'window' }, start);
  await soon(app.signInWithCredential({ ...ada, noRedirect: false }));
  expect(visited).toEqual(['replace /cart']);
  expect(server.to('GET /api/v1/projects/current')).toEqual([]);
});

test('redirectToAfterSignIn leads to the notice too', async () => {
  const { app, visited } = await signIn();
  await soon(app.redirectToAfterSignIn());
  expect(visited).toHaveLength(2);
});
