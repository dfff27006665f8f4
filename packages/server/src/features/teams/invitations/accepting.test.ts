import { codeMaxAttempts, invitationLifetimeMs } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, openScene, type Person, type TeamFilled } from '../scene.fixtures.ts';
import {
  email,
  expired,
  good,
  type InvitationScene,
  joined,
  listed,
  noTeam,
  notFound,
  openInvitationScene,
  signedOut,
  tooMany,
  unknownCode,
  used,
} from './invitation-scene.fixtures.ts';

let server: TestServer;
let scene: InvitationScene;
let team: TeamFilled;
let stranger: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ scene, team, stranger } = await openInvitationScene(server));
});

describe('accepting an invitation', () => {
  test('a signed-in user joins, with the same webhooks as by the server endpoint', async () => {
    const { code } = await scene.invite();
    expect(await scene.accept(code.toUpperCase(), as(stranger))).toEqual(joined);
    const data = { team_id: team.id, user_id: stranger.id };
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team_membership.created', data },
      { type: 'team_permission.created', data: { id: 'team_member', ...data } },
    ]);
    expect(await scene.list(as(stranger))).toEqual(listed([]));
    expect(await scene.memberIds()).toContain(stranger.id);
  });

  test('servers and admins can accept an invitation with the access token of a user', async () => {
    expect(await scene.accept((await scene.invite()).code, { ...asServer, ...as(stranger) })).toEqual(joined);
    expect(await scene.accept((await scene.invite()).code, { level: 'admin', ...as(await scene.person()) })).toEqual(
      joined,
    );
  });

  test('a member stays a member, and the code is used', async () => {
    const { code } = await scene.invite();
    await scene.may(team.id, team.member, ['$update_team']);
    expect(await scene.accept(code, as(team.member))).toEqual(joined);
    expect(await scene.publishedEvents()).toEqual([]);
    expect(await scene.accept(code, as(stranger))).toEqual(used);
    const update = { ...as(team.member), params: { team_id: team.id }, body: {} };
    expect((await scene.call('PATCH /teams/{team_id}', update)).status).toBe(200);
    expect(await scene.list(as(team.member))).toEqual(scene.mayNot(team.member, '$read_members'));
  });

  test('control 91: a signed-out call does not join, use the code or count as an attempt', async () => {
    const { code } = await scene.invite();
    for (let count = 0; count <= codeMaxAttempts; count++) {
      expect(await scene.accept(code, {})).toEqual(signedOut);
      expect(await scene.details(code, asServer)).toEqual(signedOut);
    }
    expect(await scene.accept(code, as(stranger))).toEqual(joined);
  });

  test('control 18: a GET of the link does not join', async () => {
    const { code } = await scene.invite();
    const url = `http://localhost:4280/api/v1/team-invitations/accept?code=${code}`;
    for (let count = 0; count < 50; count++) {
      for (const method of ['GET', 'HEAD']) expect((await server.app(new Request(url, { method }))).status).toBe(405);
    }
    expect(await scene.accept(code, as(stranger))).toEqual(joined);
  });

  test('a used, expired or unknown code is refused', async () => {
    const [one, two] = [await scene.invite(), await scene.invite()];
    await scene.accept(one.code, as(stranger));
    for (const call of [scene.accept, scene.check, scene.details]) {
      expect(await call(one.code, as(stranger))).toEqual(used);
      expect(await call(unknownCode, as(stranger))).toEqual(notFound);
    }
    server.clock.advance(invitationLifetimeMs);
    const late = await scene.person();
    for (const call of [scene.accept, scene.check, scene.details]) {
      expect(await call(one.code, as(late))).toEqual(expired);
      expect(await call(two.code, as(late))).toEqual(expired);
    }
  });

  test('control 17: an invitation expires after seven days', async () => {
    const { code } = await scene.invite();
    server.clock.advance(invitationLifetimeMs - 1);
    expect(await scene.accept(code, as(await scene.person()))).toEqual(joined);
    expect(invitationLifetimeMs).toBe(7 * 24 * 3600 * 1000);
  });

  test.each(['', 'abc', '0'.repeat(44), '0'.repeat(46)])('a code like "%s" does not fit', async code => {
    const schema = expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' });
    for (const call of [scene.accept, scene.check, scene.details])
      expect(await call(code, as(stranger))).toEqual(schema);
    const extra = { ...as(stranger), body: { code: unknownCode, team_id: team.id } };
    expect(await scene.call('POST /team-invitations/accept/check-code', extra)).toEqual(schema);
  });

  test('check-code and details do not use the code, and are refused after 20 attempts', async () => {
    const { code } = await scene.invite();
    const seen = { status: 200, body: { team_id: team.id, team_display_name: 'Engines' } };
    for (let count = 0; count < codeMaxAttempts / 2; count++) {
      expect(await scene.check(code)).toEqual(good);
      expect(await scene.details(code, as(stranger))).toEqual(seen);
    }
    expect(await scene.check(code)).toEqual(tooMany);
    expect(await scene.details(code, as(stranger))).toEqual(tooMany);
    expect(await scene.accept(code, as(stranger))).toEqual(tooMany);
  });

  test('check-code needs no user at any level', async () => {
    const { code } = await scene.invite();
    for (const options of [{}, asServer, { level: 'admin' } as const, as(stranger)])
      expect(await scene.check(code, options)).toEqual(good);
    expect(await scene.check(code, { level: null })).toEqual({ status: 400, code: 'ACCESS_TYPE_REQUIRED' });
  });

  test('details and accept answer TEAM_NOT_FOUND after the team was deleted', async () => {
    const { code } = await scene.invite();
    await scene.deleteTeam(team.id);
    expect(await scene.check(code)).toEqual(good);
    expect(await scene.details(code, as(stranger))).toEqual(noTeam(team.id));
    expect(await scene.accept(code, as(stranger))).toEqual(noTeam(team.id));
    expect(await scene.list(asServer)).toEqual(noTeam(team.id));
  });

  test('control 20: the code is valid only for its project and its purpose', async () => {
    const { code } = await scene.invite();
    const other = await openScene(server);
    const foreigner = await other.person();
    const body = { code };
    expect(await other.call('POST /team-invitations/accept', { ...as(foreigner), body })).toEqual(notFound);
    expect(await other.call('POST /team-invitations/accept/details', { ...as(foreigner), body })).toEqual(notFound);
    expect(await other.call('POST /team-invitations/accept/check-code', { body })).toEqual(notFound);
    expect(await scene.call('POST /contact-channels/verify', { body })).toEqual(notFound);
    expect(await scene.accept(code, as(stranger))).toEqual(joined);
  });

  test('control 15: the code is not stored in the database', async () => {
    const { code } = await scene.invite();
    const rows = await server.deps.db.query<{ row: string }>(
      sql`select row_to_json(c)::text as row from one_time_codes c where project_id = ${scene.project.id}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(code);
  });
});

describe('an invitation that is bound to the invited address', () => {
  const bind = (bound_to_address: boolean) =>
    scene.call('PATCH /internal/extensions/invitations', { level: 'admin', body: { bound_to_address } });
  const notInvited = { status: 403, says: 'a sentence' };
  beforeEach(async () => {
    await bind(true);
  });

  test('is refused to a signed-in user with another verified address, and the code stays unused', async () => {
    const { code } = await scene.invite();
    const eve = await scene.person({ primary_email: 'eve@example.com', primary_email_verified: true });
    for (const options of [as(eve), { ...asServer, ...as(eve) }]) {
      expect(await scene.details(code, options)).toEqual(notInvited);
      expect(await scene.accept(code, options)).toEqual(notInvited);
    }
    expect(await scene.memberIds()).not.toContain(eve.id);
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    expect(await scene.accept(code, as(guest))).toEqual(joined);
  });

  test('is refused to a user who has not verified the invited address', async () => {
    const { code } = await scene.invite();
    const guest = await scene.person({ primary_email: email });
    expect(await scene.details(code, as(guest))).toEqual(notInvited);
    expect(await scene.accept(code, as(guest))).toEqual(notInvited);
    expect(await scene.memberIds()).not.toContain(guest.id);
    const body = { primary_email_verified: true };
    await scene.call('PATCH /users/{user_id}', { ...asServer, params: { user_id: guest.id }, body });
    expect(await scene.accept(code, as(guest))).toEqual(joined);
  });

  test('is accepted by a user who holds the address as a verified secondary channel', async () => {
    const { code } = await scene.invite({ email: 'Guest@Example.com' });
    const guest = await scene.person({ primary_email: 'other@example.com', primary_email_verified: true });
    const channel = { user_id: guest.id, type: 'email', value: email, used_for_auth: false, is_verified: true };
    await scene.call('POST /contact-channels', { ...asServer, body: channel });
    expect(await scene.details(code, as(guest))).toEqual({
      status: 200,
      body: { team_id: team.id, team_display_name: 'Engines' },
    });
    expect(await scene.accept(code, as(guest))).toEqual(joined);
    expect(await scene.memberIds()).toContain(guest.id);
  });

  test('is checked by check-code without a user, and a signed-out call is refused with 401', async () => {
    const { code } = await scene.invite();
    expect(await scene.check(code)).toEqual(good);
    expect(await scene.details(code, {})).toEqual(signedOut);
    expect(await scene.accept(code, {})).toEqual(signedOut);
  });

  test('is accepted by every signed-in user after the project switches the setting off', async () => {
    const { code } = await scene.invite();
    expect(await scene.accept(code, as(stranger))).toEqual(notInvited);
    await bind(false);
    expect(await scene.accept(code, as(stranger))).toEqual(joined);
  });
});
