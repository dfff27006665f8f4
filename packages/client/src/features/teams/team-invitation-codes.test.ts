import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readOfEntity } from '../../test/readers.ts';
import { list, sent, teamJson } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json, knownError } from '../../test/stub-server.ts';
import { createWorld } from '../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function invited() {
  const world = createWorld();
  const tab = world.openTab();
  await soon(tab.app.signInWithCredential(world.ada));
  Object.assign(world.server.routes, {
    'POST /api/v1/team-invitations/accept/check-code': () => json({ is_code_valid: true }),
    'POST /api/v1/team-invitations/accept/details': () => json({ team_id: 't1', team_display_name: 'Crew' }),
    'POST /api/v1/team-invitations/accept': () => json({}),
    'GET /api/v1/teams': () => list(),
  });
  return { ...world, ...tab };
}

test('an invitation code is checked, shows its team, and is accepted by the signed-in user', async () => {
  const { app, server } = await invited();
  server.seen.length = 0;
  expect(await soon(app.verifyTeamInvitationCode('c0de'))).toEqual({ status: 'ok', data: undefined });
  expect(await soon(app.getTeamInvitationDetails('c0de'))).toEqual({
    status: 'ok',
    data: { teamDisplayName: 'Crew' },
  });
  expect(await soon(app.acceptTeamInvitation('c0de'))).toEqual({ status: 'ok', data: undefined });
  expect(sent(server)).toEqual([
    'POST /team-invitations/accept/check-code {"code":"c0de"}',
    'POST /team-invitations/accept/details {"code":"c0de"}',
    'POST /team-invitations/accept {"code":"c0de"}',
  ]);
  expect(server.seen.map(({ headers }) => headers.has('x-stack-access-token'))).toEqual([false, true, true]);
});

test('accepting an invitation adds the team to watched lists', async () => {
  const { app, server } = await invited();
  const user = await soon(app.getUser({ or: 'throw' }));
  const reader = readOfEntity(user, 'listTeams').reader();
  reader.subscribe(() => {});
  await soon(reader.promise());
  server.routes['GET /api/v1/teams'] = () => list(teamJson);
  await soon(app.acceptTeamInvitation('c0de'));
  expect(reader.peek()).toMatchObject({ data: [{ displayName: 'Crew' }] });
});

test('an invalid invitation code is returned as an error, and a missing session throws', async () => {
  const { app, server } = await invited();
  for (const route of Object.keys(server.routes).filter(name => name.includes('accept'))) {
    server.routes[route] = () => knownError('VERIFICATION_CODE_ALREADY_USED', 409);
  }
  const calls = [app.verifyTeamInvitationCode, app.getTeamInvitationDetails, app.acceptTeamInvitation] as const;
  for (const call of calls) {
    const result: Promise<unknown> = call('c0de');
    expect(await soon(result)).toMatchObject({ error: { errorCode: 'VERIFICATION_CODE_ALREADY_USED' } });
  }
  server.routes['POST /api/v1/team-invitations/accept'] = () => knownError('USER_AUTHENTICATION_REQUIRED', 401);
  await expect(soon(app.acceptTeamInvitation('c0de'))).rejects.toMatchObject({
    errorCode: 'USER_AUTHENTICATION_REQUIRED',
  });
});
