import type { InvitedRole, Route } from '@tessera/protocol';
import { type CallOptions, type ProjectAccess, requestOf } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../platform/database/database.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { upsertMember } from '../projects/index.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let owner: SignedUp;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_RATE_LIMITS: 'off' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project({ credentialEnabled: true });
  owner = await server.make.user();
  await setOwnedProjects(owner, [project.id]);
});

async function setOwnedProjects({ userId }: SignedUp, managedProjectIds: readonly string[]): Promise<void> {
  const body = { server_metadata: { managedProjectIds } };
  await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: userId }, body });
}

async function member(role: InvitedRole): Promise<SignedUp> {
  const person = await server.make.user();
  const row = { projectId: project.id, userId: person.userId, role, nowMillis: server.clock.now() };
  await transaction(server.deps.db, tx => upsertMember(tx, row));
  return person;
}

/** The credentials of the dashboard: the session of a person instead of a key. */
const headersOf = ({ accessToken }: SignedUp) => ({
  'x-stack-secret-server-key': '',
  'x-stack-super-secret-admin-key': '',
  'x-stack-admin-access-token': accessToken,
});

const as = (person: SignedUp, route: Route, options: CallOptions = {}) =>
  server.call(route, { project, level: 'admin', ...options, headers: headersOf(person) });

const remove = ({ userId }: SignedUp) =>
  as(owner, 'DELETE /internal/extensions/project-members/{user_id}', { params: { user_id: userId } });
const demote = ({ userId }: SignedUp) =>
  as(owner, 'PATCH /internal/extensions/project-members/{user_id}', {
    params: { user_id: userId },
    body: { role: 'viewer' },
  });
const signOut = ({ accessToken }: SignedUp) => server.call('DELETE /auth/sessions/current', { accessToken });

describe('the stream of ended sessions of a viewer', () => {
  const follow = (person: SignedUp) => {
    const options = { project, level: 'server', query: { for_millis: '60000' }, headers: headersOf(person) } as const;
    return server.app(requestOf('GET /extensions/ended-sessions/stream', options), {});
  };

  test.each([
    ['the removal of the viewer', remove],
    ['the sign-out of the viewer', signOut],
  ])('ends with %s', async (_, end) => {
    const viewer = await member('viewer');
    const stream = await follow(viewer);
    expect(stream.status).toBe(200);
    expect((await end(viewer)).status).toBe(200);
    expect((await stream.text()).match(/^data: /gm)).toHaveLength(1);
  });

  test('continues while the person has access', async () => {
    const reader = (await follow(await member('viewer'))).body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    expect(await reader?.read()).toEqual({ done: false, value: ':\n\n' });
    expect(await reader?.read()).toEqual({ done: false, value: ':\n\n' });
    await reader?.cancel();
  });
});
