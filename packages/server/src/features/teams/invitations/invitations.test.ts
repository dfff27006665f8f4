import { randomUUID } from 'node:crypto';
import { codeMaxAttempts, invitationLifetimeMs, openCodesPerAddress } from '@tessera/protocol';
import { anId, aSecret } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { createCode } from '../../verification-codes/index.ts';
import { as, asServer, openScene, type Person, type Scene, type TeamFilled } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
let stranger: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  // Removes emails of the previous test.
  await server.mailbox();
  scene = await openScene(server, { allowLocalhost: true });
  team = await scene.filledTeam();
  stranger = await scene.person();
  await scene.publishedEvents();
});

type Options = Parameters<Scene['call']>[1];

const callback_url = 'http://localhost:3000/join?from=mail';
const email = 'guest@example.com';
const unknownCode = '0'.repeat(45);

const send = (options: Options, body: object = {}) =>
  scene.call('POST /team-invitations/send-code', {
    ...options,
    body: { team_id: team.id, email, callback_url, ...body },
  });
const list = (options: Options, team_id = team.id) =>
  scene.call('GET /team-invitations', { ...options, query: { team_id } });
const revoke = (id: string, options: Options, team_id = team.id) =>
  scene.call('DELETE /team-invitations/{id}', { ...options, params: { id }, query: { team_id } });
const accept = (code: string, options: Options) =>
  scene.call('POST /team-invitations/accept', { ...options, body: { code } });
const check = (code: string, options: Options = {}) =>
  scene.call('POST /team-invitations/accept/check-code', { ...options, body: { code } });
const details = (code: string, options: Options) =>
  scene.call('POST /team-invitations/accept/details', { ...options, body: { code } });

/** Sends an invitation, and returns its id and the code of the emailed link. */
async function invited(body: object = {}): Promise<{ id: string; code: string }> {
  const sent = (await send(asServer, body)) as unknown as { body: { id: string } };
  const [receivedEmail] = await scene.receivedEmails();
  return { id: sent.body.id, code: receivedEmail?.code ?? '' };
}

async function memberIds(teamId = team.id): Promise<string[]> {
  const outcome = await scene.call('GET /team-member-profiles', { ...asServer, query: { team_id: teamId } });
  return (outcome as unknown as { body: { items: { user_id: string }[] } }).body.items.map(({ user_id }) => user_id);
}

/** The ids of open email verification codes. */
async function verificationIds(projectId: string): Promise<string[]> {
  const rows = await server.deps.db.query<{ id: string }>(
    sql`select id from one_time_codes where project_id = ${projectId} and kind = 'email_verification'`,
  );
  return rows.map(({ id }) => id);
}

const deleteTeam = (team_id: string) => scene.call('DELETE /teams/{team_id}', { ...asServer, params: { team_id } });

const sent = { status: 200, body: { success: true, id: anId } };
const success = { status: 200, body: { success: true } };
const joined = { status: 200, body: {} };
const good = { status: 200, body: { is_code_valid: true } };
const signedOut = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };
const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
const notFound = { status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' };
const used = { status: 409, code: 'VERIFICATION_CODE_ALREADY_USED' };
const expired = { status: 400, code: 'VERIFICATION_CODE_EXPIRED' };
const tooMany = { status: 400, code: 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED' };
const untrusted = { status: 400, code: 'REDIRECT_URL_NOT_WHITELISTED' };
const noTeam = (team_id: string) => ({ status: 404, code: 'TEAM_NOT_FOUND', details: { team_id } });
const notIn = (team_id: string, { id: user_id }: Person) => ({
  status: 404,
  code: 'TEAM_MEMBERSHIP_NOT_FOUND',
  details: { team_id, user_id },
});
const mayNot = ({ id: user_id }: Person, permission_id: string) => ({
  status: 401,
  code: 'TEAM_PERMISSION_REQUIRED',
  details: { team_id: team.id, user_id, permission_id },
});
const listed = (items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });
const invitation = (recipient_email = email, id: unknown = anId) => ({
  id,
  team_id: team.id,
  expires_at_millis: server.clock.now() + invitationLifetimeMs,
  recipient_email,
});

describe('sending', () => {
  test('sends an email to the invited address, with the link and the name of the team', async () => {
    expect(await send(as(team.member), { email: 'Guest@Example.com' })).toEqual(sent);
    const [receivedEmail, ...more] = await scene.receivedEmails();
    expect(more).toEqual([]);
    expect(receivedEmail).toMatchObject({ to: email, code: aSecret, text: expect.stringContaining('Engines') });
    expect(receivedEmail?.link).toBe(`http://localhost:3000/join?code=${receivedEmail?.code}&from=mail`);
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 75: the name of a team is escaped in the email, and adds no link or header', async () => {
    const display_name = '{{teamInvitationLink}} <b>https://evil.example</b>\r\nBcc: eve@example.com';
    await scene.call('PATCH /teams/{team_id}', { ...asServer, params: { team_id: team.id }, body: { display_name } });
    await send(asServer);
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
    expect(await send({})).toEqual(signedOut);
    expect(await send(as(team.powerless))).toEqual(mayNot(team.powerless, '$invite_members'));
    expect(await send(as(stranger))).toEqual(notIn(team.id, stranger));
    expect(await scene.receivedEmails()).toEqual([]);
    await scene.may(team.id, team.powerless, ['$invite_members']);
    for (const options of [
      as(team.creator),
      as(team.member),
      as(team.powerless),
      asServer,
      { level: 'admin' } as const,
    ]) {
      expect(await send(options)).toEqual(sent);
    }
  });

  test('control 92: an unknown team and a team of another project are refused', async () => {
    const foreign = await (await openScene(server)).team();
    for (const team_id of [randomUUID(), foreign]) {
      expect(await send(asServer, { team_id })).toEqual(noTeam(team_id));
      expect(await send(as(team.member), { team_id })).toEqual(notIn(team_id, team.member));
    }
    expect(await scene.receivedEmails()).toEqual([]);
  });

  test('an untrusted callback URL is refused, after the permission checks', async () => {
    const callback = { callback_url: 'https://evil.example/join' };
    expect(await send(as(team.member), callback)).toEqual(untrusted);
    expect(await send(asServer, callback)).toEqual(untrusted);
    expect(await send({}, callback)).toEqual(signedOut);
    expect(await send(as(team.powerless), callback)).toEqual(mayNot(team.powerless, '$invite_members'));
    const missing = randomUUID();
    expect(await send(asServer, { ...callback, team_id: missing })).toEqual(noTeam(missing));
    expect(await list(asServer)).toEqual(listed([]));
  });

  test('an address can be invited several times, also when it belongs to a member, and every code works once', async () => {
    const [one, two] = [await invited(), await invited()];
    expect(one.id).not.toBe(two.id);
    expect(await accept(two.code, as(stranger))).toEqual(joined);
    expect(await accept(one.code, as(await scene.person()))).toEqual(joined);
    expect(await send(asServer, { email: 'a@b' })).toEqual(sent);
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
    expect(await send(asServer, body)).toEqual(expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' }));
  });
});

test('control 19: ten invitations of another team leave the invitation of this team open', async () => {
  const { id, code } = await invited();
  const projectId = scene.project.id;
  const data = { teamId: await scene.team() };
  for (let count = 0; count < openCodesPerAddress; count++) {
    server.clock.advance(1);
    // Not by the endpoint, which sends only a few emails to one address.
    const request = { projectId, kind: 'team_invitation', userId: null, address: email, data } as const;
    await transaction(server.deps.db, tx => createCode(tx, request, server.deps));
  }
  expect(await list(asServer)).toMatchObject({ body: { items: [{ id }] } });
  expect(await accept(code, as(stranger))).toEqual(joined);
});

describe('listing', () => {
  test('returns the open invitations of the team only, oldest first', async () => {
    const first = await invited();
    const expected = [invitation(email, first.id)];
    server.clock.advance(1);
    const accepted = await invited({ email: 'two@example.com' });
    const second = await invited({ email: 'Three@example.com' });
    expected.push(invitation('three@example.com', second.id));
    await invited({ team_id: await scene.team() });
    await accept(accepted.code, as(stranger));
    for (const options of [as(team.member), asServer]) expect(await list(options)).toEqual(listed(expected));
    expect(await list(asServer, team.id.toUpperCase())).toEqual(listed(expected));
  });

  test('returns an invitation until it expires', async () => {
    const { id } = await invited();
    const expected = invitation(email, id);
    server.clock.advance(invitationLifetimeMs - 1);
    expect(await list(asServer)).toEqual(listed([expected]));
    server.clock.advance(1);
    expect(await list(asServer)).toEqual(listed([]));
  });

  test('control 91: a client is refused with the first missing requirement: user, membership, $read_members, $invite_members', async () => {
    const missing = randomUUID();
    expect(await list({})).toEqual(noUser);
    expect(await list(as(stranger))).toEqual(notIn(team.id, stranger));
    expect(await list(as(team.member), missing)).toEqual(notIn(missing, team.member));
    expect(await list(asServer, missing)).toEqual(noTeam(missing));
    expect(await list(as(team.powerless))).toEqual(mayNot(team.powerless, '$read_members'));
    await scene.may(team.id, team.powerless, ['$invite_members']);
    expect(await list(as(team.powerless))).toEqual(mayNot(team.powerless, '$read_members'));
    await scene.may(team.id, team.powerless, ['$read_members']);
    expect(await list(as(team.powerless))).toEqual(mayNot(team.powerless, '$invite_members'));
    await scene.may(team.id, team.powerless, ['team_member']);
    for (const options of [as(team.powerless), asServer, { level: 'admin' } as const]) {
      expect(await list(options)).toEqual(listed([]));
    }
  });

  test('requires team_id', async () => {
    for (const options of [asServer, as(team.member)]) {
      const outcome = await scene.call('GET /team-invitations', options);
      expect(outcome).toEqual(expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' }));
    }
  });
});

describe('revoking', () => {
  test('the code of a revoked invitation is unknown, and the invitation is not listed', async () => {
    const [{ id, code }, kept] = [await invited(), await invited()];
    expect(await revoke(id.toUpperCase(), as(team.creator))).toEqual(success);
    expect(await accept(code, as(stranger))).toEqual(notFound);
    expect(await check(code)).toEqual(notFound);
    expect(await details(code, as(stranger))).toEqual(notFound);
    expect(await revoke(id, as(team.creator))).toEqual(notFound);
    expect(await list(asServer)).toEqual(listed([invitation(email, kept.id)]));
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 91: only members with $remove_members, servers and admins can revoke an invitation', async () => {
    const { id } = await invited();
    const missing = randomUUID();
    expect(await revoke(id, {})).toEqual(noUser);
    expect(await revoke(id, as(stranger))).toEqual(notIn(team.id, stranger));
    expect(await revoke(id, as(team.member))).toEqual(mayNot(team.member, '$remove_members'));
    expect(await revoke(id, as(team.creator), missing)).toEqual(notIn(missing, team.creator));
    expect(await revoke(id, asServer, missing)).toEqual(noTeam(missing));
    expect(await revoke(id, { level: 'admin' })).toEqual(success);
    await scene.may(team.id, team.powerless, ['$remove_members']);
    expect(await revoke((await invited()).id, as(team.powerless))).toEqual(success);
    expect(await revoke((await invited()).id, asServer)).toEqual(success);
  });

  test('control 92: an invitation of another team or project and a code of another kind cannot be revoked', async () => {
    const { project } = scene;
    const mine = await scene.team(team.creator);
    const { id, code } = await invited();
    expect(await revoke(id, as(team.creator), mine)).toEqual(notFound);
    expect(await revoke(id, asServer, mine)).toEqual(notFound);
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
    for (const verification of verifications) expect(await revoke(verification, asServer)).toEqual(notFound);
    expect(await verificationIds(project.id)).toEqual(verifications);
    expect(await check(code)).toEqual(good);
    expect(await revoke(randomUUID(), asServer)).toEqual(notFound);
  });

  test('a malformed id and a missing team_id are refused with SCHEMA_ERROR', async () => {
    const schema = expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' });
    expect(await revoke('abc', asServer)).toEqual(schema);
    expect(await scene.call('DELETE /team-invitations/{id}', { ...asServer, params: { id: randomUUID() } })).toEqual(
      schema,
    );
  });
});

describe('accepting', () => {
  test('a signed-in user joins, with the same webhooks as by the server endpoint', async () => {
    const { code } = await invited();
    expect(await accept(code.toUpperCase(), as(stranger))).toEqual(joined);
    const data = { team_id: team.id, user_id: stranger.id };
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team_membership.created', data },
      { type: 'team_permission.created', data: { id: 'team_member', ...data } },
    ]);
    expect(await list(as(stranger))).toEqual(listed([]));
    expect(await memberIds()).toContain(stranger.id);
  });

  test('servers and admins can accept an invitation with the access token of a user', async () => {
    expect(await accept((await invited()).code, { ...asServer, ...as(stranger) })).toEqual(joined);
    expect(await accept((await invited()).code, { level: 'admin', ...as(await scene.person()) })).toEqual(joined);
  });

  test('a member stays a member, and the code is used', async () => {
    const { code } = await invited();
    await scene.may(team.id, team.member, ['$update_team']);
    expect(await accept(code, as(team.member))).toEqual(joined);
    expect(await scene.publishedEvents()).toEqual([]);
    expect(await accept(code, as(stranger))).toEqual(used);
    const update = { ...as(team.member), params: { team_id: team.id }, body: {} };
    expect((await scene.call('PATCH /teams/{team_id}', update)).status).toBe(200);
    expect(await list(as(team.member))).toEqual(mayNot(team.member, '$read_members'));
  });

  test('control 91: a signed-out call does not join, use the code or count as an attempt', async () => {
    const { code } = await invited();
    for (let count = 0; count <= codeMaxAttempts; count++) {
      expect(await accept(code, {})).toEqual(signedOut);
      expect(await details(code, asServer)).toEqual(signedOut);
    }
    expect(await accept(code, as(stranger))).toEqual(joined);
  });

  test('control 18: a GET of the link does not join', async () => {
    const { code } = await invited();
    const url = `http://localhost:4280/api/v1/team-invitations/accept?code=${code}`;
    for (let count = 0; count < 50; count++) {
      for (const method of ['GET', 'HEAD']) expect((await server.app(new Request(url, { method }))).status).toBe(405);
    }
    expect(await accept(code, as(stranger))).toEqual(joined);
  });

  test('a used, expired or unknown code is refused', async () => {
    const [one, two] = [await invited(), await invited()];
    await accept(one.code, as(stranger));
    for (const call of [accept, check, details]) {
      expect(await call(one.code, as(stranger))).toEqual(used);
      expect(await call(unknownCode, as(stranger))).toEqual(notFound);
    }
    server.clock.advance(invitationLifetimeMs);
    const late = await scene.person();
    for (const call of [accept, check, details]) {
      expect(await call(one.code, as(late))).toEqual(expired);
      expect(await call(two.code, as(late))).toEqual(expired);
    }
  });

  test('control 17: an invitation expires after seven days', async () => {
    const { code } = await invited();
    server.clock.advance(invitationLifetimeMs - 1);
    expect(await accept(code, as(await scene.person()))).toEqual(joined);
    expect(invitationLifetimeMs).toBe(7 * 24 * 3600 * 1000);
  });

  test.each(['', 'abc', '0'.repeat(44), '0'.repeat(46)])('a code like "%s" does not fit', async code => {
    const schema = expect.objectContaining({ status: 400, code: 'SCHEMA_ERROR' });
    for (const call of [accept, check, details]) expect(await call(code, as(stranger))).toEqual(schema);
    const extra = { ...as(stranger), body: { code: unknownCode, team_id: team.id } };
    expect(await scene.call('POST /team-invitations/accept/check-code', extra)).toEqual(schema);
  });

  test('check-code and details do not use the code, and are refused after 20 attempts', async () => {
    const { code } = await invited();
    const seen = { status: 200, body: { team_id: team.id, team_display_name: 'Engines' } };
    for (let count = 0; count < codeMaxAttempts / 2; count++) {
      expect(await check(code)).toEqual(good);
      expect(await details(code, as(stranger))).toEqual(seen);
    }
    expect(await check(code)).toEqual(tooMany);
    expect(await details(code, as(stranger))).toEqual(tooMany);
    expect(await accept(code, as(stranger))).toEqual(tooMany);
  });

  test('check-code needs no user at any level', async () => {
    const { code } = await invited();
    for (const options of [{}, asServer, { level: 'admin' } as const, as(stranger)])
      expect(await check(code, options)).toEqual(good);
    expect(await check(code, { level: null })).toEqual({ status: 400, code: 'ACCESS_TYPE_REQUIRED' });
  });

  test('details and accept answer TEAM_NOT_FOUND after the team was deleted', async () => {
    const { code } = await invited();
    await deleteTeam(team.id);
    expect(await check(code)).toEqual(good);
    expect(await details(code, as(stranger))).toEqual(noTeam(team.id));
    expect(await accept(code, as(stranger))).toEqual(noTeam(team.id));
    expect(await list(asServer)).toEqual(noTeam(team.id));
  });

  test('control 20: the code is valid only for its project and its purpose', async () => {
    const { code } = await invited();
    const other = await openScene(server);
    const foreigner = await other.person();
    const body = { code };
    expect(await other.call('POST /team-invitations/accept', { ...as(foreigner), body })).toEqual(notFound);
    expect(await other.call('POST /team-invitations/accept/details', { ...as(foreigner), body })).toEqual(notFound);
    expect(await other.call('POST /team-invitations/accept/check-code', { body })).toEqual(notFound);
    expect(await scene.call('POST /contact-channels/verify', { body })).toEqual(notFound);
    expect(await accept(code, as(stranger))).toEqual(joined);
  });

  test('control 15: the code is not stored in the database', async () => {
    const { code } = await invited();
    const rows = await server.deps.db.query<{ row: string }>(
      sql`select row_to_json(c)::text as row from one_time_codes c where project_id = ${scene.project.id}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(code);
  });
});

describe('after a membership ended', () => {
  const end = (id: string, options: Options) =>
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', {
      ...options,
      params: { team_id: team.id, user_id: id },
    });

  test.each<[string, (guest: Person) => Options, (guest: Person) => string]>([
    ['by a member', () => as(team.creator), ({ id }) => id],
    ['by a server', () => asServer, ({ id }) => id],
    ['by leaving', as, () => 'me'],
  ])('control 91: %s, an older invitation to the person is unknown, and a new one works', async (_, by, whom) => {
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    const [first, second] = [await invited(), await invited()];
    const other = await invited({ email: 'other@example.com' });
    expect(await accept(first.code, as(guest))).toEqual(joined);
    expect(await end(whom(guest), by(guest))).toEqual(success);
    expect(await accept(second.code, as(guest))).toEqual(notFound);
    expect(await accept(first.code, as(guest))).toEqual(used);
    expect(await list(asServer)).toEqual(listed([invitation('other@example.com', other.id)]));
    expect(await memberIds()).not.toContain(guest.id);
    expect(await accept((await invited()).code, as(guest))).toEqual(joined);
    expect(await memberIds()).toContain(guest.id);
  });

  test('control 91: an older invitation to the address by which a user without a verified address joined is unknown', async () => {
    const [first, second] = [await invited(), await invited()];
    await accept(first.code, as(stranger));
    expect(await end(stranger.id, as(team.creator))).toEqual(success);
    expect(await accept(second.code, as(stranger))).toEqual(notFound);
  });

  test('an invitation to an address that the person has not verified stays open', async () => {
    const { code } = await invited();
    const pretender = await scene.person({ primary_email: email });
    await scene.join(team.id, pretender);
    expect(await end('me', as(pretender))).toEqual(success);
    expect(await accept(code, as(stranger))).toEqual(joined);
  });

  test('an invitation of another team to the person stays open', async () => {
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    const { code } = await invited({ team_id: await scene.team() });
    await scene.join(team.id, guest);
    expect(await end(guest.id, asServer)).toEqual(success);
    expect(await accept(code, as(guest))).toEqual(joined);
  });

  test('control 91: the invitations of a removed member are unknown, those of a member who left stay open', async () => {
    const codes: string[] = [];
    for (const [index, sender] of [team.member, team.creator].entries()) {
      await send(as(sender), { email: `friend-${index}@example.com` });
      codes.push((await scene.receivedEmails())[0]?.code ?? '');
    }
    const [ofMember = '', ofCreator = ''] = codes;
    expect(await end(team.member.id, as(team.creator))).toEqual(success);
    expect(await end('me', as(team.creator))).toEqual(success);
    expect(await accept(ofMember, as(stranger))).toEqual(notFound);
    expect(await accept(ofCreator, as(stranger))).toEqual(joined);
  });
});

describe('after an account was deleted', () => {
  const deleteUser = (user_id: string) => scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id } });

  async function codeOf(sender: Person): Promise<string> {
    await send(as(sender));
    return (await scene.receivedEmails())[0]?.code ?? '';
  }

  test('control 91: the invitations that a deleted user sent are unknown', async () => {
    const code = await codeOf(team.member);
    expect(await deleteUser(team.member.id)).toEqual(success);
    expect(await accept(code, as(stranger))).toEqual(notFound);
    expect(await list(asServer)).toEqual(listed([]));
  });

  test('control 91: an older invitation to the address of the deleted user is unknown', async () => {
    const guest = { primary_email: email, primary_email_verified: true };
    const { id } = await scene.person(guest);
    const { code } = await invited();
    await scene.join(team.id, { id, accessToken: '' });
    expect(await deleteUser(id)).toEqual(success);
    expect(await accept(code, as(await scene.person(guest)))).toEqual(notFound);
  });

  test('the invitations of a user who deleted the own account stay open', async () => {
    await scene.call('PATCH /internal/projects/current', {
      level: 'admin',
      body: { config: { client_user_deletion_enabled: true } },
    });
    const code = await codeOf(team.creator);
    expect(await scene.call('DELETE /users/me', as(team.creator))).toEqual(success);
    expect(await accept(code, as(stranger))).toEqual(joined);
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
    const { code } = await invited();
    const eve = await scene.person({ primary_email: 'eve@example.com', primary_email_verified: true });
    for (const options of [as(eve), { ...asServer, ...as(eve) }]) {
      expect(await details(code, options)).toEqual(notInvited);
      expect(await accept(code, options)).toEqual(notInvited);
    }
    expect(await memberIds()).not.toContain(eve.id);
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    expect(await accept(code, as(guest))).toEqual(joined);
  });

  test('is refused to a user who has not verified the invited address', async () => {
    const { code } = await invited();
    const guest = await scene.person({ primary_email: email });
    expect(await details(code, as(guest))).toEqual(notInvited);
    expect(await accept(code, as(guest))).toEqual(notInvited);
    expect(await memberIds()).not.toContain(guest.id);
    const body = { primary_email_verified: true };
    await scene.call('PATCH /users/{user_id}', { ...asServer, params: { user_id: guest.id }, body });
    expect(await accept(code, as(guest))).toEqual(joined);
  });

  test('is accepted by a user who holds the address as a verified secondary channel', async () => {
    const { code } = await invited({ email: 'Guest@Example.com' });
    const guest = await scene.person({ primary_email: 'other@example.com', primary_email_verified: true });
    const channel = { user_id: guest.id, type: 'email', value: email, used_for_auth: false, is_verified: true };
    await scene.call('POST /contact-channels', { ...asServer, body: channel });
    expect(await details(code, as(guest))).toEqual({
      status: 200,
      body: { team_id: team.id, team_display_name: 'Engines' },
    });
    expect(await accept(code, as(guest))).toEqual(joined);
    expect(await memberIds()).toContain(guest.id);
  });

  test('is checked by check-code without a user, and a signed-out call is refused with 401', async () => {
    const { code } = await invited();
    expect(await check(code)).toEqual(good);
    expect(await details(code, {})).toEqual(signedOut);
    expect(await accept(code, {})).toEqual(signedOut);
  });

  test('is accepted by every signed-in user after the project switches the setting off', async () => {
    const { code } = await invited();
    expect(await accept(code, as(stranger))).toEqual(notInvited);
    await bind(false);
    expect(await accept(code, as(stranger))).toEqual(joined);
  });
});

describe('concurrent calls', () => {
  test('control 16: of 50 users who accept one code, one joins', async () => {
    const { code } = await invited();
    const people = await Promise.all(Array.from({ length: 50 }, () => scene.person()));
    const before = await memberIds();
    await scene.publishedEvents();
    const outcomes = await Promise.all(people.map(person => accept(code, as(person))));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(outcome => ![200, 400, 409].includes(outcome.status))).toEqual([]);
    expect(await memberIds()).toHaveLength(before.length + 1);
    expect(await scene.publishedEvents()).toHaveLength(2);
  });

  test('control 16: of 50 calls of one user with one code, one succeeds, and the user joins once', async () => {
    const { code } = await invited();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => accept(code, as(stranger))));
    expect(outcomes.filter(({ status }) => status === 200)).toEqual([joined]);
    expect((await memberIds()).filter(id => id === stranger.id)).toHaveLength(1);
    expect(await scene.publishedEvents()).toHaveLength(2);
  });

  test('a user who accepts three codes joins once, and all codes are used', async () => {
    const invitations = [await invited(), await invited(), await invited()];
    const outcomes = await Promise.all(invitations.map(({ code }) => accept(code, as(stranger))));
    expect(outcomes).toEqual([joined, joined, joined]);
    expect((await memberIds()).filter(id => id === stranger.id)).toHaveLength(1);
    expect(await scene.publishedEvents()).toHaveLength(2);
    expect(await list(asServer)).toEqual(listed([]));
  });

  test('a team that is deleted while users are invited and accept causes no 5xx', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = await scene.team();
      const guest = { team_id: doomed, email: `guest-${round}@example.com` };
      const invitations = [await invited(guest), await invited(guest)];
      const outcomes = await Promise.all([
        ...invitations.map(({ code }) => accept(code, as(stranger))),
        send(asServer, guest),
        deleteTeam(doomed),
        ...invitations.map(({ id }) => revoke(id, asServer, doomed)),
      ]);
      expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await scene.call('GET /teams', { ...asServer, query: { user_id: stranger.id } })).toEqual(listed([]));
      await scene.receivedEmails();
    }
  });

  test('a user who is deleted while accepting causes no 5xx', async () => {
    const { code } = await invited();
    const params = { user_id: stranger.id };
    const outcomes = await Promise.all([
      accept(code, as(stranger)),
      scene.call('DELETE /users/{user_id}', { ...asServer, params }),
    ]);
    expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await memberIds()).not.toContain(stranger.id);
  });
});

describe('an invitation that is under way', () => {
  /** Begins an invitation that waits for the team, runs `meanwhile`, and lets the invitation go on. */
  async function inviteDuring(meanwhile: () => Promise<unknown>, request: () => Promise<unknown>): Promise<unknown> {
    let inviting: Promise<unknown> | undefined;
    await transaction(server.deps.db, async tx => {
      await tx.query(sql`select id from teams where project_id = ${scene.project.id} and id = ${team.id} for update`);
      inviting = request();
      await waitUntilBlocked();
      await meanwhile();
    });
    return inviting;
  }

  /** Waits until this many transactions wait for a lock, or until `isOver`. */
  async function waitUntilBlocked(count = 1, isOver = () => false): Promise<void> {
    // Outside of the transaction: in one, pg_stat_activity keeps its first list of connections.
    const blocked = sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    while (!isOver() && (await server.deps.db.query(blocked)).length < count);
  }

  const memberOfTeam = () => ({ team_id: team.id, user_id: team.member.id });
  const remove = () =>
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...as(team.creator), params: memberOfTeam() });
  const inviteWithRole = (options: Options = {}) =>
    scene.call('POST /extensions/teams/{team_id}/invitations', {
      ...options,
      ...as(team.member),
      params: { team_id: team.id },
      body: { email, callback_url },
    });

  test.each([
    ['an invitation', () => send(as(team.member))],
    ['an invitation of the team roles', inviteWithRole],
    ['an invitation by a server with the access token', () => inviteWithRole(asServer)],
  ])('control 91: %s of a member who is removed concurrently is refused', async (_, request) => {
    const refused = { status: 404, code: 'TEAM_MEMBERSHIP_NOT_FOUND', details: memberOfTeam() };
    expect(await inviteDuring(remove, request)).toEqual(refused);
    expect(await list(asServer)).toEqual(listed([]));
  });

  test.each([
    ['an invitation', () => send(as(team.member))],
    ['an invitation by a server with the access token', () => inviteWithRole(asServer)],
  ])('control 91: %s of a user who is suspended concurrently does not stay open', async (_, request) => {
    const params = { user_id: team.member.id };
    const suspend = () => scene.call('PUT /extensions/users/{user_id}/suspension', { ...asServer, params, body: {} });
    let suspending: Promise<unknown> | undefined;
    await inviteDuring(async () => {
      let isOver = false;
      suspending = suspend().finally(() => {
        isOver = true;
      });
      // It ends now or, when it waits for the invitation, later.
      await waitUntilBlocked(2, () => isOver);
    }, request);
    expect(await suspending).toMatchObject({ status: 200 });
    expect(await list(asServer)).toEqual(listed([]));
  });
});
