import { randomUUID } from 'node:crypto';
import { invitationLifetimeMs, openCodesPerAddress } from '@tessera/protocol';
import { aSecret } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { createCode } from '../../verification-codes/index.ts';
import { as, asServer, openScene, type Person, type TeamFilled } from '../scene.fixtures.ts';
import {
  email,
  good,
  type InvitationScene,
  joined,
  listed,
  noTeam,
  notFound,
  notIn,
  noUser,
  openInvitationScene,
  sent,
  signedOut,
  success,
  untrusted,
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

/** The ids of open email verification codes. */
async function verificationIds(projectId: string): Promise<string[]> {
  const rows = await server.deps.db.query<{ id: string }>(
    sql`select id from one_time_codes where project_id = ${projectId} and kind = 'email_verification'`,
  );
  return rows.map(({ id }) => id);
}

describe('sending an invitation', () => {
  test('sends an email to the invited address, with the link and the name of the team', async () => {
    expect(await scene.send(as(team.member), { email: 'Guest@Example.com' })).toEqual(sent);
    const [receivedEmail, ...more] = await scene.receivedEmails();
    expect(more).toEqual([]);
    expect(receivedEmail).toMatchObject({ to: email, code: aSecret, text: expect.stringContaining('Engines') });
    expect(receivedEmail?.link).toBe(`http://localhost:3000/join?code=${receivedEmail?.code}&from=mail`);
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 75: the name of a team is escaped in the email, and adds no link or header', async () => {
    const display_name = '{{teamInvitationLink}} <b>https://evil.example</b>\r\nBcc: eve@example.com';
    await scene.call('PATCH /teams/{team_id}', { ...asServer, params: { team_id: team.id }, body: { display_name } });
    await scene.send(asServer);
    const [receivedEmail, ...more] = await scene.receivedEmails();
    expect([receivedEmail?.to, more]).toEqual([email, []]);
    expect(receivedEmail?.text).toContain('{{teamInvitationLink}} <b>evil. example</b> Bcc: eve@example. com');
    expect(receivedEmail?.html).toContain(
      '{{teamInvitationLink}} &lt;b&gt;evil. example&lt;/b&gt; Bcc: eve@example. com',
    );
    expect(receivedEmail?.subject).not.toMatch(/[\r\n]|https?:/);
    expect(receivedEmail?.text.match(/https?:\/\/[^\s)]+/g)).toEqual([receivedEmail?.link]);
  });

  test('control 91: only members with $invite_members, servers and admins can send an invitation', async () => {
    expect(await scene.send({})).toEqual(signedOut);
    expect(await scene.send(as(team.powerless))).toEqual(scene.mayNot(team.powerless, '$invite_members'));
    expect(await scene.send(as(stranger))).toEqual(notIn(team.id, stranger));
    expect(await scene.receivedEmails()).toEqual([]);
    await scene.may(team.id, team.powerless, ['$invite_members']);
    for (const options of [
      as(team.creator),
      as(team.member),
      as(team.powerless),
      asServer,
      { level: 'admin' } as const,
    ]) {
      expect(await scene.send(options)).toEqual(sent);
    }
  });

  test('control 92: an unknown team and a team of another project are refused', async () => {
    const foreign = await (await openScene(server)).team();
    for (const team_id of [randomUUID(), foreign]) {
      expect(await scene.send(asServer, { team_id })).toEqual(noTeam(team_id));
      expect(await scene.send(as(team.member), { team_id })).toEqual(notIn(team_id, team.member));
    }
    expect(await scene.receivedEmails()).toEqual([]);
  });

  test('an untrusted callback URL is refused, after the permission checks', async () => {
    const callback = { callback_url: 'https://evil.example/join' };
    expect(await scene.send(as(team.member), callback)).toEqual(untrusted);
    expect(await scene.send(asServer, callback)).toEqual(untrusted);
    expect(await scene.send({}, callback)).toEqual(signedOut);
    expect(await scene.send(as(team.powerless), callback)).toEqual(scene.mayNot(team.powerless, '$invite_members'));
    const missing = randomUUID();
    expect(await scene.send(asServer, { ...callback, team_id: missing })).toEqual(noTeam(missing));
    expect(await scene.list(asServer)).toEqual(listed([]));
  });

  test('an address can be invited several times, also when it belongs to a member, and every code works once', async () => {
    const [one, two] = [await scene.invite(), await scene.invite()];
    expect(one.id).not.toBe(two.id);
    expect(await scene.accept(two.code, as(stranger))).toEqual(joined);
    expect(await scene.accept(one.code, as(await scene.person()))).toEqual(joined);
    expect(await scene.send(asServer, { email: 'a@b' })).toEqual(sent);
  });

  test.each([
    ['no address', { email: undefined }],
    ['an empty address', { email: '' }],
    ['an address with a blank', { email: ' guest@example.com' }],
    ['no address at all', { email: 'guest' }],
    ['control 74: an address with a line break', { email: 'guest@example.com\r\nBcc: eve@example.com' }],
    ['no team', { team_id: undefined }],
    ['a team id that is not a UUID', { team_id: 'engines' }],
    ['no callback', { callback_url: undefined }],
    ['a relative callback', { callback_url: '/join' }],
    ['control 90: a role', { role: 'admin' }],
  ])('%s does not fit', async (_, body) => {
    expect(await scene.send(asServer, body)).toEqual(expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' }));
  });
});

test('control 19: ten invitations of another team leave the invitation of this team open', async () => {
  const { id, code } = await scene.invite();
  const projectId = scene.project.id;
  const data = { teamId: await scene.team() };
  for (let count = 0; count < openCodesPerAddress; count++) {
    server.clock.advance(1);
    // Not by the endpoint, which sends only a few emails to one address.
    const request = { projectId, kind: 'team_invitation', userId: null, address: email, data } as const;
    await transaction(server.deps.db, tx => createCode(tx, request, server.deps));
  }
  expect(await scene.list(asServer)).toMatchObject({ body: { items: [{ id }] } });
  expect(await scene.accept(code, as(stranger))).toEqual(joined);
});

describe('listing invitations', () => {
  test('returns the open invitations of the team only, oldest first', async () => {
    const first = await scene.invite();
    const expected = [scene.invitation(email, first.id)];
    server.clock.advance(1);
    const accepted = await scene.invite({ email: 'two@example.com' });
    const second = await scene.invite({ email: 'Three@example.com' });
    expected.push(scene.invitation('three@example.com', second.id));
    await scene.invite({ team_id: await scene.team() });
    await scene.accept(accepted.code, as(stranger));
    for (const options of [as(team.member), asServer]) expect(await scene.list(options)).toEqual(listed(expected));
    expect(await scene.list(asServer, team.id.toUpperCase())).toEqual(listed(expected));
  });

  test('returns an invitation until it expires', async () => {
    const { id } = await scene.invite();
    const expected = scene.invitation(email, id);
    server.clock.advance(invitationLifetimeMs - 1);
    expect(await scene.list(asServer)).toEqual(listed([expected]));
    server.clock.advance(1);
    expect(await scene.list(asServer)).toEqual(listed([]));
  });

  test('control 91: a client is refused with the first missing requirement: user, membership, $read_members, $invite_members', async () => {
    const missing = randomUUID();
    expect(await scene.list({})).toEqual(noUser);
    expect(await scene.list(as(stranger))).toEqual(notIn(team.id, stranger));
    expect(await scene.list(as(team.member), missing)).toEqual(notIn(missing, team.member));
    expect(await scene.list(asServer, missing)).toEqual(noTeam(missing));
    expect(await scene.list(as(team.powerless))).toEqual(scene.mayNot(team.powerless, '$read_members'));
    await scene.may(team.id, team.powerless, ['$invite_members']);
    expect(await scene.list(as(team.powerless))).toEqual(scene.mayNot(team.powerless, '$read_members'));
    await scene.may(team.id, team.powerless, ['$read_members']);
    expect(await scene.list(as(team.powerless))).toEqual(scene.mayNot(team.powerless, '$invite_members'));
    await scene.may(team.id, team.powerless, ['team_member']);
    for (const options of [as(team.powerless), asServer, { level: 'admin' } as const]) {
      expect(await scene.list(options)).toEqual(listed([]));
    }
  });

  test('requires team_id', async () => {
    for (const options of [asServer, as(team.member)]) {
      const outcome = await scene.call('GET /team-invitations', options);
      expect(outcome).toEqual(expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' }));
    }
  });
});

describe('revoking an invitation', () => {
  test('the code of a revoked invitation is unknown, and the invitation is not listed', async () => {
    const [{ id, code }, kept] = [await scene.invite(), await scene.invite()];
    expect(await scene.revoke(id.toUpperCase(), as(team.creator))).toEqual(success);
    expect(await scene.accept(code, as(stranger))).toEqual(notFound);
    expect(await scene.check(code)).toEqual(notFound);
    expect(await scene.details(code, as(stranger))).toEqual(notFound);
    expect(await scene.revoke(id, as(team.creator))).toEqual(notFound);
    expect(await scene.list(asServer)).toEqual(listed([scene.invitation(email, kept.id)]));
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 91: only members with $remove_members, servers and admins can revoke an invitation', async () => {
    const { id } = await scene.invite();
    const missing = randomUUID();
    expect(await scene.revoke(id, {})).toEqual(noUser);
    expect(await scene.revoke(id, as(stranger))).toEqual(notIn(team.id, stranger));
    expect(await scene.revoke(id, as(team.member))).toEqual(scene.mayNot(team.member, '$remove_members'));
    expect(await scene.revoke(id, as(team.creator), missing)).toEqual(notIn(missing, team.creator));
    expect(await scene.revoke(id, asServer, missing)).toEqual(noTeam(missing));
    expect(await scene.revoke(id, { level: 'admin' })).toEqual(success);
    await scene.may(team.id, team.powerless, ['$remove_members']);
    expect(await scene.revoke((await scene.invite()).id, as(team.powerless))).toEqual(success);
    expect(await scene.revoke((await scene.invite()).id, asServer)).toEqual(success);
  });

  test('control 92: an invitation of another team or project and a code of another kind cannot be revoked', async () => {
    const { project } = scene;
    const mine = await scene.team(team.creator);
    const { id, code } = await scene.invite();
    expect(await scene.revoke(id, as(team.creator), mine)).toEqual(notFound);
    expect(await scene.revoke(id, asServer, mine)).toEqual(notFound);
    const other = await openScene(server);
    const outcome = await other.call('DELETE /team-invitations/{id}', {
      ...asServer,
      params: { id },
      query: { team_id: await other.team() },
    });
    expect(outcome).toEqual(notFound);
    await server.make.user({ project });
    const verifications = await verificationIds(project.id);
    expect(verifications).toHaveLength(1);
    for (const verification of verifications) expect(await scene.revoke(verification, asServer)).toEqual(notFound);
    expect(await verificationIds(project.id)).toEqual(verifications);
    expect(await scene.check(code)).toEqual(good);
    expect(await scene.revoke(randomUUID(), asServer)).toEqual(notFound);
  });

  test('a malformed id and a missing team_id are refused with SCHEMA_ERROR', async () => {
    const schema = expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' });
    expect(await scene.revoke('abc', asServer)).toEqual(schema);
    expect(await scene.call('DELETE /team-invitations/{id}', { ...asServer, params: { id: randomUUID() } })).toEqual(
      schema,
    );
  });
});
