import { randomUUID } from 'node:crypto';
import { noticesPerUnverifiedRecipient, openCodesPerAddress, ownerRecentSignInMs, type Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { aSecret, aToken, outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { oneAfterTheOther, whileDeleting, whileHolding } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';
import { createCode } from '../verification-codes/index.ts';

let server: TestServer;
let project: ProjectAccess;
let owner: SignedUp;
beforeAll(async () => {
  server = await openTestServer({
    passwords: plainPasswords(),
    environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '24h', TESSERA_RATE_LIMITS: 'off' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
  owner = await server.make.user();
  const server_metadata = { managedProjectIds: [project.id], other: 'stays' };
  await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body: { server_metadata } });
});

/** A call to the project with the session of a person. */
function as({ accessToken }: SignedUp, route: Route, options: CallOptions = {}) {
  const headers = {
    'x-stack-publishable-client-key': '',
    'x-stack-super-secret-admin-key': '',
    'x-stack-admin-access-token': accessToken,
  };
  return server.call(route, { project, level: 'admin', ...options, headers });
}

/** The code in the link of an invitation cannot be read from the database, so the test makes one. */
async function codeFor(address: string, role: 'admin' | 'viewer', projectId = project.id): Promise<string> {
  const asked = { projectId: 'internal', kind: 'project_invitation', userId: null, address } as const;
  const data = { projectId, role };
  return (await transaction(server.deps.db, tx => createCode(tx, { ...asked, data }, server.deps))).code;
}

const accept = ({ accessToken }: SignedUp, code: string) =>
  server.call('POST /extensions/project-invitations/accept', { accessToken, body: { code } });

async function member(role: 'admin' | 'viewer'): Promise<SignedUp> {
  const person = await server.make.user();
  await accept(person, await codeFor(person.email, role));
  return person;
}

const members = async () => {
  const { json } = await server.call('GET /internal/extensions/project-members', { project, level: 'admin' });
  const { items } = z.object({ items: z.array(z.object({ user_id: z.string(), role: z.string() })) }).parse(json);
  return items.map(({ user_id, role }) => [user_id, role]);
};

const newKeySet = {
  description: '',
  expires_at_millis: 4e12,
  has_publishable_client_key: true,
  has_secret_server_key: true,
};

const success = { status: 200, body: { success: true } };
const insufficient = (actual_role: string, required_role: string) => ({
  status: 403,
  code: 'PROJECT_ROLE_INSUFFICIENT',
  details: { actual_role, required_role },
});
const withStatus = (status: number) => expect.objectContaining({ status });

describe('invitations', () => {
  const invite = (person: SignedUp, body: object) =>
    as(person, 'POST /internal/extensions/project-invitations', { body });

  test('an invitation sends an email with a link to the dashboard, and is listed until it is revoked', async () => {
    const created = await invite(owner, { email: 'Bob@example.com', role: 'viewer' });
    const invitation = z.object({ id: z.string() }).loose().parse(created.json);
    expect(invitation).toMatchObject({ recipient_email: 'bob@example.com', role: 'viewer' });
    const queued = await server.deps.db.query(sql`
      select template, recipient from mails where project_id = 'internal' and template = 'project_invitation'
    `);
    expect(queued).toContainEqual({ template: 'project_invitation', recipient: 'bob@example.com' });
    const list = () => server.call('GET /internal/extensions/project-invitations', { project, level: 'admin' });
    expect((await list()).json).toMatchObject({ items: [{ id: invitation.id }] });
    const revoke = { params: { id: invitation.id } };
    expect(outcome(await as(owner, 'DELETE /internal/extensions/project-invitations/{id}', revoke))).toEqual(success);
    expect((await list()).json).toMatchObject({ items: [] });
  });

  const invited = async (of = project) => {
    const { json } = await server.call('GET /internal/extensions/project-invitations', { project: of, level: 'admin' });
    return z.object({ items: z.array(z.object({ id: z.string() }).loose()) }).parse(json).items;
  };

  test('control 92: the owner of another project does not revoke an invitation', async () => {
    const other = await server.make.project();
    await codeFor('bob@example.com', 'viewer', other.id);
    const [invitation] = await invited(other);
    const revoke = { params: { id: invitation?.id ?? '' } };
    const answer = await as(owner, 'DELETE /internal/extensions/project-invitations/{id}', revoke);
    expect(outcome(answer)).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(await invited(other)).toEqual([invitation]);
  });

  test('an invitation that is revoked while a user accepts it makes no member', async () => {
    const bob = await server.make.user();
    const code = await codeFor(bob.email, 'admin');
    const [invitation] = await invited();
    const revoke = { params: { id: invitation?.id ?? '' } };
    const answer = await whileHolding(server, bob.userId, {
      work: () => accept(bob, code),
      meanwhile: () => as(owner, 'DELETE /internal/extensions/project-invitations/{id}', revoke),
    });
    expect(outcome(answer)).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(await members()).toEqual([[owner.userId, 'owner']]);
  });

  test('an anonymous user does not accept one, and the code stays unused', async () => {
    const { json } = await server.call('POST /auth/anonymous/sign-up', { body: {} });
    const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(json);
    const bob = await server.make.user();
    const code = await codeFor(bob.email, 'viewer');
    const answer = await server.call('POST /extensions/project-invitations/accept', { accessToken, body: { code } });
    expect(outcome(answer)).toEqual({ status: 403, says: 'a sentence' });
    expect(outcome(await accept(bob, code))).toEqual({ status: 200, body: { project_id: project.id } });
  });

  test.each<[Route, object]>([
    ['POST /extensions/project-invitations/details', {}],
    ['POST /extensions/project-invitations/sign-up', { password: 'quiet lantern orbit' }],
  ])('control 92: %s is refused in another project than `internal`', async (route, more) => {
    const body = { code: await codeFor('bob@example.com', 'viewer'), ...more };
    const answer = await server.call(route, { project, body });
    expect(outcome(answer)).toEqual({ status: 401, code: 'EXPECTED_INTERNAL_PROJECT' });
  });

  test('an invitation to a project that was deleted is unknown', async () => {
    const bob = await server.make.user();
    const code = await codeFor(bob.email, 'viewer');
    expect((await server.call('DELETE /internal/projects/current', { project, level: 'admin' })).status).toBe(200);
    const details = await server.call('POST /extensions/project-invitations/details', { body: { code } });
    expect(outcome(details)).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(outcome(await accept(bob, code))).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
  });

  test('an invitation that is sent again has a new link and the new role, and the old link ends', async () => {
    const bob = await server.make.user();
    const code = await codeFor(bob.email, 'viewer');
    const [earlier] = await invited();
    server.clock.advance(1);
    expect(await invite(owner, { email: bob.email, role: 'admin' })).toEqual(withStatus(201));
    const [again, ...others] = await invited();
    expect(again).toMatchObject({ recipient_email: bob.email, role: 'admin' });
    expect(again?.id).not.toBe(earlier?.id);
    expect(others).toEqual([]);
    expect(outcome(await accept(bob, code))).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
  });

  test('a member cannot be invited again', async () => {
    const bob = await member('viewer');
    expect(await invite(owner, { email: bob.email, role: 'admin' })).toEqual(withStatus(409));
  });

  test('control 19: ten invitations of another project leave the invitation of this project open', async () => {
    const bob = await server.make.user();
    const code = await codeFor(bob.email, 'viewer');
    const other = await server.make.project();
    for (let count = 0; count < openCodesPerAddress; count++) {
      server.clock.advance(1);
      await codeFor(bob.email, 'viewer', other.id);
    }
    const list = await server.call('GET /internal/extensions/project-invitations', { project, level: 'admin' });
    expect(list.json).toMatchObject({ items: [{ recipient_email: bob.email }] });
    expect(outcome(await accept(bob, code))).toEqual({ status: 200, body: { project_id: project.id } });
  });

  test('only owners invite', async () => {
    const body = { email: 'carol@example.com', role: 'viewer' };
    expect(outcome(await invite(await member('admin'), body))).toMatchObject(insufficient('admin', 'owner'));
    expect(outcome(await invite(await member('viewer'), body))).toMatchObject(insufficient('viewer', 'owner'));
  });

  test('control 20: an invitation is accepted once', async () => {
    const [bob, eve] = [await server.make.user(), await server.make.user()];
    const code = await codeFor(bob.email, 'admin');
    expect(outcome(await accept(bob, code))).toEqual({ status: 200, body: { project_id: project.id } });
    expect(outcome(await accept(eve, code))).toMatchObject({ code: 'VERIFICATION_CODE_ALREADY_USED' });
    expect(await members()).toEqual([
      [owner.userId, 'owner'],
      [bob.userId, 'admin'],
    ]);
  });

  test('an invitation creates an account with the invited address, also while sign-up is off', async () => {
    const address = `invited-${project.id}@example.com`;
    const code = await codeFor(address, 'viewer');
    const details = await server.call('POST /extensions/project-invitations/details', { body: { code } });
    expect(details.json).toEqual({
      project_display_name: 'A project',
      role: 'viewer',
      recipient_email: address,
      has_account: false,
    });
    const body = { code, password: 'quiet lantern orbit', display_name: 'Ivy' };
    const signedIn = await server.call('POST /extensions/project-invitations/sign-up', { body });
    expect(outcome(signedIn)).toMatchObject({ status: 200, body: { access_token: aToken, refresh_token: aSecret } });
    const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(signedIn.json);
    const me = await server.call('GET /users/me', { accessToken });
    expect(me.json).toMatchObject({ primary_email: address, primary_email_verified: true, display_name: 'Ivy' });
    expect((await members()).map(([, role]) => role)).toEqual(['owner', 'viewer']);
  });

  test('an invitation to an address with an account creates no other account', async () => {
    const bob = await server.make.user();
    const body = { code: await codeFor(bob.email, 'viewer'), password: 'quiet lantern orbit' };
    const answer = await server.call('POST /extensions/project-invitations/sign-up', { body });
    expect(outcome(answer)).toMatchObject({ code: 'USER_EMAIL_ALREADY_EXISTS' });
  });
});

describe('control 91: roles', () => {
  test('a member sees the project in the list with the role, and no other project', async () => {
    await server.make.project();
    const bob = await member('viewer');
    const roles = await server.call('GET /internal/extensions/project-roles', { accessToken: bob.accessToken });
    expect(roles.json).toMatchObject({ items: [{ project_id: project.id, role: 'viewer' }] });
    const listed = await server.call('GET /internal/projects', { accessToken: bob.accessToken });
    expect(z.object({ items: z.array(z.object({ id: z.string() })) }).parse(listed.json).items).toHaveLength(1);
    const other = await server.make.project();
    const refused = await as(bob, 'GET /internal/projects/current', { project: other });
    expect(outcome(refused)).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
  });

  test('a viewer does not see the secrets of the configuration', async () => {
    const config = { oauth_providers: [{ id: 'github', type: 'standard', client_id: 'id', client_secret: 'hidden' }] };
    await server.call('PATCH /internal/projects/current', { project, level: 'admin', body: { config } });
    const [viewer, admin] = [await member('viewer'), await member('admin')];
    for (const text of [
      (await as(viewer, 'GET /internal/projects/current')).text,
      (await server.call('GET /internal/projects', { accessToken: viewer.accessToken })).text,
    ]) {
      expect(text).not.toContain('hidden');
    }
    expect((await as(admin, 'GET /internal/projects/current')).text).toContain('hidden');
  });

  test('an admin changes the project, but neither deletes it nor gets a key that could', async () => {
    const admin = await member('admin');
    const renamed = await as(admin, 'PATCH /internal/projects/current', { body: { display_name: 'New' } });
    expect(renamed.status).toBe(200);
    expect(outcome(await as(admin, 'DELETE /internal/projects/current'))).toMatchObject(insufficient('admin', 'owner'));
    const create = (has_super_secret_admin_key: boolean) =>
      as(admin, 'POST /internal/api-keys', { body: { ...newKeySet, has_super_secret_admin_key } });
    expect(outcome(await create(true))).toMatchObject(insufficient('admin', 'owner'));
    expect((await create(false)).status).toBe(200);
  });

  test.each<[string, Route, object]>([
    ['gets no key of the project', 'POST /internal/api-keys', { ...newKeySet, has_super_secret_admin_key: false }],
    ['changes no setting', 'PATCH /internal/projects/current', { display_name: 'New' }],
  ])('an admin who is concurrently removed %s', async (_, route, body) => {
    const admin = await member('admin');
    const remove = () =>
      as(owner, 'DELETE /internal/extensions/project-members/{user_id}', { params: { user_id: admin.userId } });
    const calls = { first: remove, second: () => as(admin, route, { body }) };
    const [, answer] = await oneAfterTheOther(server, admin.userId, calls);
    expect(outcome(answer)).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
  });

  test('an owner changes the role of a member, with effect on the next request', async () => {
    const bob = await member('admin');
    const change = { params: { user_id: bob.userId }, body: { role: 'viewer' } };
    expect(outcome(await as(owner, 'PATCH /internal/extensions/project-members/{user_id}', change))).toEqual(success);
    const write = await as(bob, 'PATCH /internal/projects/current', { body: { display_name: 'New' } });
    expect(outcome(write)).toMatchObject(insufficient('viewer', 'admin'));
  });

  test('a member leaves, and cannot remove others', async () => {
    const [bob, carol] = [await member('viewer'), await member('admin')];
    const remove = (by: SignedUp, user_id: string) =>
      as(by, 'DELETE /internal/extensions/project-members/{user_id}', { params: { user_id } });
    expect(outcome(await remove(carol, bob.userId))).toMatchObject(insufficient('admin', 'owner'));
    expect(outcome(await remove(bob, bob.userId))).toEqual(success);
    expect(outcome(await as(bob, 'GET /internal/projects/current'))).toMatchObject({
      code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN',
    });
    expect(outcome(await remove(owner, carol.userId))).toEqual(success);
    expect(await remove(owner, owner.userId)).toEqual(withStatus(409));
  });

  test('there are no admins of the project `internal`', async () => {
    const server_metadata = { managedProjectIds: ['internal'] };
    await server.call('PATCH /users/me', {
      level: 'server',
      accessToken: owner.accessToken,
      body: { server_metadata },
    });
    const body = { email: 'dan@example.com', role: 'admin' };
    const project = { id: 'internal', publishableClientKey: '', secretServerKey: '', superSecretAdminKey: '' };
    expect(await as(owner, 'POST /internal/extensions/project-invitations', { project, body })).toEqual(
      withStatus(403),
    );
  });
});

describe('control 91: an invitation gives nothing back', () => {
  const joined = () => ({ status: 200, body: { project_id: project.id } });
  const gone = { status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' };
  const ofMember = (route: Route, { userId }: SignedUp, body?: object) =>
    as(owner, route, { params: { user_id: userId }, ...(body && { body }) });
  const remove = (person: SignedUp) => ofMember('DELETE /internal/extensions/project-members/{user_id}', person);
  const demote = (person: SignedUp) =>
    ofMember('PATCH /internal/extensions/project-members/{user_id}', person, { role: 'viewer' });

  test('the second invitation to one address ends when the first one is accepted', async () => {
    const bob = await server.make.user();
    const [first, second] = [await codeFor(bob.email, 'viewer'), await codeFor(bob.email, 'admin')];
    expect(outcome(await accept(bob, first))).toEqual(joined());
    expect(outcome(await accept(bob, second))).toEqual(gone);
    expect(await members()).toContainEqual([bob.userId, 'viewer']);
  });

  test('an invitation to a member leaves the role as it is, and its code is used', async () => {
    const bob = await member('viewer');
    const code = await codeFor(bob.email, 'admin');
    expect(outcome(await accept(bob, code))).toEqual(joined());
    expect(await members()).toContainEqual([bob.userId, 'viewer']);
    expect(outcome(await accept(bob, code))).toMatchObject({ code: 'VERIFICATION_CODE_ALREADY_USED' });
  });

  test('a change of role ends the open invitations to the member', async () => {
    const bob = await member('admin');
    const code = await codeFor(bob.email, 'admin');
    expect(outcome(await demote(bob))).toEqual(success);
    expect(outcome(await accept(bob, code))).toEqual(gone);
    expect(await members()).toContainEqual([bob.userId, 'viewer']);
  });

  test('a removal ends the open invitations to the person, and a new invitation works', async () => {
    const bob = await member('admin');
    const [own, other] = [await codeFor(bob.email, 'admin'), await codeFor('eve@example.com', 'viewer')];
    expect(outcome(await remove(bob))).toEqual(success);
    expect(outcome(await accept(bob, own))).toEqual(gone);
    expect(await members()).toEqual([[owner.userId, 'owner']]);
    expect(outcome(await accept(await server.make.user(), other))).toEqual(joined());
    expect(outcome(await accept(bob, await codeFor(bob.email, 'viewer')))).toEqual(joined());
    expect(await members()).toContainEqual([bob.userId, 'viewer']);
  });

  const invite = ({ email }: SignedUp) =>
    as(owner, 'POST /internal/extensions/project-invitations', { body: { email, role: 'admin' } });

  async function emailedCode(person: SignedUp): Promise<string> {
    await invite(person);
    const [email] = await server.mailbox(person.email);
    return /#code=([a-z0-9]+)/.exec(email?.text ?? '')?.[1] ?? '';
  }

  const suspend = ({ userId: user_id }: SignedUp) =>
    server.call('PUT /extensions/users/{user_id}/suspension', { level: 'server', params: { user_id }, body: {} });

  test('a suspension ends the invitations that the person sent', async () => {
    const accomplice = await server.make.user();
    const code = await emailedCode(accomplice);
    expect((await suspend(owner)).status).toBe(200);
    expect(outcome(await accept(accomplice, code))).toEqual(gone);
  });

  test('control 91: the deletion of the account ends the invitations that the person sent', async () => {
    const accomplice = await server.make.user();
    const code = await emailedCode(accomplice);
    const options = { level: 'server', params: { user_id: owner.userId } } as const;
    expect((await server.call('DELETE /users/{user_id}', options)).status).toBe(200);
    expect(outcome(await accept(accomplice, code))).toEqual(gone);
  });

  test('a request that a suspension overtakes sends no invitation', async () => {
    const accomplice = await server.make.user();
    const calls = { first: () => suspend(owner), second: () => invite(accomplice) };
    const [, answer] = await oneAfterTheOther(server, owner.userId, calls);
    expect(outcome(answer)).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
  });

  test('a user whom a suspension overtakes does not accept one', async () => {
    const bob = await server.make.user();
    const code = await emailedCode(bob);
    const calls = { first: () => suspend(bob), second: () => accept(bob, code) };
    const [, answer] = await oneAfterTheOther(server, bob.userId, calls);
    expect(outcome(answer)).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
    expect(await members()).toEqual([[owner.userId, 'owner']]);
  });

  test('a transfer ends the invitations that the previous owner sent', async () => {
    const [bob, accomplice] = [await member('viewer'), await server.make.user()];
    const code = await emailedCode(accomplice);
    const details = { body: { code } };
    expect((await server.call('POST /extensions/project-invitations/details', details)).status).toBe(200);
    const transfer = { body: { user_id: bob.userId, display_name: 'A project' } };
    expect(outcome(await as(owner, 'POST /internal/extensions/project-transfer', transfer))).toEqual(success);
    expect(outcome(await accept(accomplice, code))).toEqual(gone);
  });
});

describe('an account that is deleted concurrently', () => {
  const makeAdmin = ({ userId: user_id }: SignedUp) =>
    as(owner, 'PATCH /internal/extensions/project-members/{user_id}', { params: { user_id }, body: { role: 'admin' } });

  test('cannot accept an invitation', async () => {
    const bob = await server.make.user();
    const code = await codeFor(bob.email, 'viewer');
    const answer = await whileDeleting(server, bob.userId, () => accept(bob, code));
    expect(outcome(answer)).toMatchObject({ status: 401, code: 'USER_AUTHENTICATION_REQUIRED' });
    expect(await members()).toEqual([[owner.userId, 'owner']]);
  });

  test('gets no other role', async () => {
    const bob = await member('viewer');
    const answer = await whileDeleting(server, bob.userId, () => makeAdmin(bob));
    expect(outcome(answer)).toEqual({ status: 404, says: 'a sentence' });
    expect(await members()).toEqual([[owner.userId, 'owner']]);
  });

  test('cannot transfer the project', async () => {
    const bob = await member('viewer');
    const body = { user_id: bob.userId, display_name: 'A project' };
    const answer = await whileDeleting(server, owner.userId, () =>
      as(owner, 'POST /internal/extensions/project-transfer', { body }),
    );
    expect(outcome(answer)).toEqual({ status: 409, says: 'a sentence' });
    expect(await members()).toEqual([[bob.userId, 'viewer']]);
  });
});

describe('a transfer', () => {
  const transfer = (by: SignedUp, user_id: string, display_name = 'A project') =>
    as(by, 'POST /internal/extensions/project-transfer', { body: { user_id, display_name } });
  const changeRole = ({ userId: user_id }: SignedUp) =>
    as(owner, 'PATCH /internal/extensions/project-members/{user_id}', { params: { user_id }, body: { role: 'admin' } });
  const remove = ({ userId: user_id }: SignedUp) =>
    as(owner, 'DELETE /internal/extensions/project-members/{user_id}', { params: { user_id } });
  const invite = (email: string) =>
    as(owner, 'POST /internal/extensions/project-invitations', { body: { email, role: 'viewer' } });

  test('makes the member the owner and the owner an admin, and sends an email to both', async () => {
    const bob = await member('viewer');
    expect(await transfer(owner, bob.userId, 'Another')).toEqual(withStatus(400));
    expect(outcome(await transfer(owner, bob.userId))).toEqual(success);
    expect(await members()).toEqual([
      [bob.userId, 'owner'],
      [owner.userId, 'admin'],
    ]);
    const queued = await server.deps.db.query<{ recipient: string }>(sql`
      select recipient from mails where template = 'project_transferred' and recipient in (${owner.email}, ${bob.email})
    `);
    expect(queued.map(({ recipient }) => recipient).sort()).toEqual([owner.email, bob.email].sort());
    expect(outcome(await transfer(owner, bob.userId))).toMatchObject(insufficient('admin', 'owner'));
  });

  test('to a member who owns 1,000 projects is refused', async () => {
    const bob = await member('viewer');
    const ids = JSON.stringify(Array.from({ length: 1_000 }, () => randomUUID()));
    await server.deps.db.query(sql`
      update users set server_metadata = json_build_object('managedProjectIds', ${ids}::json)
      where project_id = 'internal' and id = ${bob.userId}
    `);
    expect(await transfer(owner, bob.userId)).toEqual(withStatus(403));
    expect(await members()).toEqual([
      [owner.userId, 'owner'],
      [bob.userId, 'viewer'],
    ]);
  });

  test('control 72: repeated between two accounts, sends five emails an hour to an unverified address', async () => {
    const bob = await member('viewer');
    for (let count = 0; count < 4; count++) {
      expect(outcome(await transfer(owner, bob.userId))).toEqual(success);
      expect(outcome(await transfer(bob, owner.userId))).toEqual(success);
    }
    const queued = await server.deps.db.query(sql`
      select id from mails where template = 'project_transferred' and recipient = ${bob.email}
    `);
    expect(queued).toHaveLength(noticesPerUnverifiedRecipient);
  });

  test.each([
    ['changes no role', (carol: SignedUp) => changeRole(carol)],
    ['removes no member', (carol: SignedUp) => remove(carol)],
    ['sends no invitation', () => invite('dan@example.com')],
    ['does not delete the project', () => as(owner, 'DELETE /internal/projects/current')],
  ])('control 91: the previous owner, whose request it overtakes, %s', async (_, request) => {
    const [bob, carol] = [await member('viewer'), await member('viewer')];
    const calls = { first: () => transfer(owner, bob.userId), second: () => request(carol) };
    const [, answer] = await oneAfterTheOther(server, bob.userId, calls);
    expect(outcome(answer)).toEqual(insufficient('admin', 'owner'));
    const roles = { [bob.userId]: 'owner', [carol.userId]: 'viewer', [owner.userId]: 'admin' };
    expect(Object.fromEntries(await members())).toEqual(roles);
  });

  test('control 91: is refused to an owner whom a suspension overtakes', async () => {
    const bob = await member('viewer');
    const params = { user_id: owner.userId };
    const suspend = () =>
      server.call('PUT /extensions/users/{user_id}/suspension', { level: 'server', params, body: {} });
    const calls = { first: suspend, second: () => transfer(owner, bob.userId) };
    const [, answer] = await oneAfterTheOther(server, owner.userId, calls);
    expect(outcome(answer)).toEqual({ status: 409, says: 'a sentence' });
    expect(await members()).toContainEqual([owner.userId, 'owner']);
  });

  test('keeps the other metadata and projects of both', async () => {
    const bob = await member('viewer');
    await transfer(owner, bob.userId);
    const { json } = await server.call('GET /users/me', { level: 'server', accessToken: owner.accessToken });
    expect(json).toMatchObject({ server_metadata: { managedProjectIds: [], other: 'stays' } });
  });
});

describe('control 68: sensitive calls of a person need a recent sign-in', () => {
  const key = {
    description: '',
    expires_at_millis: 4e12,
    has_publishable_client_key: true,
    has_secret_server_key: false,
    has_super_secret_admin_key: false,
  };
  const ownServer = {
    ...{ type: 'standard', host: 'smtp.example.com', port: 25, username: 'acme', password: 'secret' },
    ...{ sender_name: 'Acme', sender_email: 'noreply@example.com' },
  };
  const calls: [Route, CallOptions][] = [
    ['DELETE /internal/projects/current', {}],
    ['POST /internal/api-keys', { body: key }],
    ['POST /internal/extensions/signing-keys/rotate', {}],
    ['POST /internal/extensions/project-invitations', { body: { email: 'dan@example.com', role: 'viewer' } }],
    ['PATCH /internal/projects/current', { body: { config: { email_config: ownServer } } }],
    [
      'PATCH /internal/projects/current',
      { body: { config: { domains: [{ domain: 'https://example.com', handler_path: '/handler' }] } } },
    ],
    ['PATCH /email-templates/{type}', { params: { type: 'magic_link' }, body: { subject: 'Your code' } }],
  ];

  test.each(calls)('%s is refused after an hour, and accepted after a reauthentication', async (route, options) => {
    const body = { config: { email_config: ownServer } };
    await server.call('PATCH /internal/projects/current', { project, level: 'admin', body });
    server.clock.advance(ownerRecentSignInMs);
    expect(outcome(await as(owner, route, options))).toMatchObject({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    const { accessToken, password } = owner;
    await server.call('POST /extensions/reauthentication', { accessToken, body: { password } });
    expect((await as(owner, route, options)).status).toBeLessThan(300);
  });

  test.each(calls)('control 34: %s is refused in an impersonation session of the person', async (route, options) => {
    const body = { user_id: owner.userId, is_impersonation: true };
    const { json } = await server.call('POST /auth/sessions', { level: 'admin', body });
    const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(json);
    const refused = { status: 403, code: 'PROJECT_ROLE_INSUFFICIENT' };
    expect(outcome(await as({ ...owner, accessToken }, route, options))).toMatchObject(refused);
  });

  test('a key of the project is not asked', async () => {
    server.clock.advance(ownerRecentSignInMs);
    expect((await server.call('POST /internal/api-keys', { project, level: 'admin', body: key })).status).toBe(200);
  });

  test('other changes are not asked', async () => {
    server.clock.advance(ownerRecentSignInMs);
    const body = { display_name: 'New' };
    expect((await as(owner, 'PATCH /internal/projects/current', { body })).status).toBe(200);
  });
});
