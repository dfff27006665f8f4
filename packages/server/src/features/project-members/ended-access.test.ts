import type { InvitedRole, Route } from '@tessera/protocol';
import { type CallOptions, type ProjectAccess, requestOf } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HashingBusy } from '../../platform/crypto/passwords.ts';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import {
  oneAfterTheOther,
  whileHolding,
  whileLocking,
  whileWaitingToWrite,
} from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { deleteMember, encryptSmtpPassword, upsertMember } from '../projects/index.ts';
import { interruptedPasswords } from '../sign-in/scene.fixtures.ts';
import { createCode } from '../verification-codes/index.ts';

let server: TestServer;
let project: ProjectAccess;
let owner: SignedUp;
const passwords = interruptedPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords, environment: { TESSERA_RATE_LIMITS: 'off' } });
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
const deleteAccount = ({ userId }: SignedUp) =>
  server.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: userId } });
const suspend = ({ userId }: SignedUp) =>
  server.call('PUT /extensions/users/{user_id}/suspension', { level: 'server', params: { user_id: userId }, body: {} });
const signOut = ({ accessToken }: SignedUp) => server.call('DELETE /auth/sessions/current', { accessToken });

const endsOfAccess = [
  ['the removal of the member', remove],
  ['a demotion to viewer', demote],
  ['the suspension of the account', suspend],
  ['the deletion of the account', deleteAccount],
] as const;

const messageToAll = {
  subject: 'News',
  content: { root: { type: 'EmailLayout', data: { childrenIds: [] } } },
  notification_category_name: 'Marketing',
  audience: { type: 'all' },
  expected_recipients: 10,
};

describe('control 32: a person whose access ends while a password waits for its hash', () => {
  const password = 'chosen by the former member';

  test.each([
    ['the removal of the member', remove, 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN'],
    ['a demotion to viewer', demote, 'PROJECT_ROLE_INSUFFICIENT'],
    ['the suspension of the account', suspend, 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN'],
    ['the deletion of the account', deleteAccount, 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN'],
    ['the sign-out', signOut, 'ADMIN_ACCESS_TOKEN_EXPIRED'],
  ])('sets no password of a user and creates none: %s', async (_, end, code) => {
    const ada = await server.make.user({ project });
    const signIn = async () => {
      const body = { email: ada.email, password };
      return outcome(await server.call('POST /auth/password/sign-in', { project, body }));
    };
    const change = { params: { user_id: ada.userId }, level: 'server', body: { password } } as const;
    const creation = { level: 'server', body: { primary_email: 'new@users.example', password } } as const;

    const first = await member('admin');
    passwords.meanwhile = () => end(first);
    expect(outcome(await as(first, 'PATCH /users/{user_id}', change))).toMatchObject({ code });
    const second = await member('admin');
    passwords.meanwhile = () => end(second);
    expect(outcome(await as(second, 'POST /users', creation))).toMatchObject({ code });
    expect(await signIn()).toMatchObject({ code: 'EMAIL_PASSWORD_MISMATCH' });
  });

  test.each(endsOfAccess)('sets no password with a link that the person made: %s', async (_, end) => {
    project = await server.make.project({ credentialEnabled: true, allowLocalhost: true });
    await setOwnedProjects(owner, [project.id]);
    const ada = await server.make.user({ project });
    const maker = await member('admin');
    const link = await as(maker, 'POST /internal/extensions/users/{user_id}/links', {
      params: { user_id: ada.userId },
      body: { kind: 'password_reset', callback_url: 'http://localhost:3000/reset' },
    });
    const code = new URL((link.json as { url: string }).url).searchParams.get('code');
    passwords.meanwhile = () => end(maker);
    const reset = await server.call('POST /auth/password/reset', { project, body: { code, password } });
    expect(outcome(reset)).toMatchObject({ code: 'VERIFICATION_CODE_NOT_FOUND' });
    const body = { email: ada.email, password };
    expect((await server.call('POST /auth/password/sign-in', { project, body })).status).toBe(400);
  });

  test('the password of a person who keeps the access is set', async () => {
    const ada = await server.make.user({ project });
    const [leaving, staying] = [await member('admin'), await member('admin')];
    passwords.meanwhile = () => remove(leaving);
    const change = { params: { user_id: ada.userId }, level: 'server', body: { password } } as const;
    expect(outcome(await as(staying, 'PATCH /users/{user_id}', change))).toMatchObject({ status: 200 });
  });
});

test.each(endsOfAccess)('control 32: a running import creates no more users after %s', async (_, end) => {
  const ada = await server.make.user({ project });
  const importer = await member('admin');
  const users = [{ primary_email: ada.email, display_name: 'Ada' }, { primary_email: 'new@users.example' }];
  const body = { is_dry_run: false, on_conflict: 'update', users };
  const answer = await whileHolding(server, ada.userId, {
    work: () => as(importer, 'POST /internal/extensions/users/import', { body }),
    meanwhile: () => end(importer),
  });
  const failed = expect.objectContaining({ status: 'failed', user_id: null });
  expect(outcome(answer)).toEqual({ status: 200, body: { results: [failed, failed] } });
  const list = await server.call('GET /users', { project, level: 'server' });
  expect(list.json).toMatchObject({ items: [{ id: ada.userId }] });
});

test.each([
  ['the removal of the member', remove, 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN'],
  ['a demotion to viewer', demote, 'PROJECT_ROLE_INSUFFICIENT'],
  ['the suspension of the account', suspend, 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN'],
])('control 32: a message to users is not sent when its recipients are counted during %s', async (_, end, code) => {
  project = await server.make.project({ sharedServerSendsToUsers: true });
  await setOwnedProjects(owner, [project.id]);
  await server.make.user({ project });
  const sender = await member('admin');
  const answer = await whileLocking(server, sql`notification_preferences`, {
    work: () => as(sender, 'POST /internal/extensions/messages', { body: messageToAll }),
    meanwhile: () => end(sender),
  });
  expect(outcome(answer)).toMatchObject({ code });
  expect(await server.deps.db.query(sql`select id from messages where project_id = ${project.id}`)).toEqual([]);
});

test.each([
  ['an email to users', 'POST /emails/send-email', { level: 'server' }],
  ['a test of a template', 'POST /internal/extensions/email-templates/{type}/test', { params: { type: 'magic_link' } }],
] as const)(
  'control 32: %s is not sent when the sender is removed while the request waits',
  async (_, route, options) => {
    const emailConfig = { type: 'standard', host: '127.0.0.1', port: 1, username: '', senderName: '' } as const;
    const sealedPassword = encryptSmtpPassword('', server.deps.secrets);
    const senderEmail = 'mail@acme.example';
    project = await server.make.project({ emailConfig: { ...emailConfig, sealedPassword, senderEmail } });
    const sender = await member('admin');
    const toUsers = { user_ids: [], subject: 'News', html: '<p>News</p>', notification_category_name: 'Marketing' };
    const body = route === 'POST /emails/send-email' ? toUsers : { recipient_email: 'ada@example.com' };
    const answer = await whileHolding(server, sender.userId, {
      work: () => as(sender, route, { ...options, body }),
      meanwhile: tx => deleteMember(tx, { projectId: project.id, userId: sender.userId }),
    });
    expect(outcome(answer)).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
  },
);

test.each([
  ['a change of a team', 'PATCH /teams/{team_id}', { body: { display_name: 'New' } }],
  ['the deletion of a team', 'DELETE /teams/{team_id}', {}],
] as const)(
  'control 32: %s is refused when the person is removed while the request waits',
  async (_, route, options) => {
    const at = { project, level: 'server' } as const;
    const { json } = await server.call('POST /teams', { ...at, body: { display_name: 'Team' } });
    const params = { team_id: (json as { id: string }).id };
    const person = await member('admin');
    const answer = await whileHolding(server, person.userId, {
      work: () => as(person, route, { ...options, level: 'server', params }),
      meanwhile: tx => deleteMember(tx, { projectId: project.id, userId: person.userId }),
    });
    expect(outcome(answer)).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
    const read = await server.call('GET /teams/{team_id}', { ...at, params });
    expect(read.json).toMatchObject({ display_name: 'Team' });
  },
);

test.each([
  ['the deletion of a user', 'DELETE /users/{user_id}', {}],
  ['a new membership', 'POST /team-memberships/{team_id}/{user_id}', { body: {} }],
  ['the suspension of a user', 'PUT /extensions/users/{user_id}/suspension', { body: {} }],
] as const)(
  'control 32: %s is refused when the person is removed while the request waits',
  async (_, route, options) => {
    const at = { project, level: 'server' } as const;
    const ada = await server.make.user({ project });
    const { json } = await server.call('POST /teams', { ...at, body: { display_name: 'Team' } });
    const team_id = (json as { id: string }).id;
    const inTeam: Record<string, string> = route === 'POST /team-memberships/{team_id}/{user_id}' ? { team_id } : {};
    const person = await member('admin');
    const answer = await whileHolding(server, person.userId, {
      work: () => as(person, route, { ...options, level: 'server', params: { ...inTeam, user_id: ada.userId } }),
      meanwhile: tx => deleteMember(tx, { projectId: project.id, userId: person.userId }),
    });
    expect(outcome(answer)).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
    expect((await server.call('GET /users/me', { project, accessToken: ada.accessToken })).status).toBe(200);
    const members = await server.call('GET /team-member-profiles', { ...at, query: { team_id } });
    expect(members.json).toMatchObject({ items: [] });
  },
);

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

describe('control 34: the sessions that a person opened for users', () => {
  type Opened = Readonly<Record<'access_token' | 'refresh_token', string>>;
  let ada: SignedUp;
  beforeEach(async () => {
    ada = await server.make.user({ project });
  });

  const impersonate = async (by: SignedUp): Promise<Opened> => {
    const options = { params: { user_id: ada.userId }, body: { reason: 'ticket 42' } };
    return (await as(by, 'POST /internal/extensions/users/{user_id}/impersonations', options)).json as Opened;
  };
  const openSession = async (by: SignedUp, body: object = {}): Promise<Opened> => {
    const options = { level: 'server', body: { user_id: ada.userId, ...body } } as const;
    return (await as(by, 'POST /auth/sessions', options)).json as Opened;
  };

  /** The answers to a read with the access token and to a refresh. */
  async function use({ access_token: accessToken, refresh_token: refreshToken }: Opened): Promise<number[]> {
    const read = await server.call('GET /users/me', { project, accessToken });
    const refresh = await server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
    return [read.status, refresh.status];
  }
  const works = [200, 200];
  const isRefused = [401, 401];

  test.each(endsOfAccess)('end with %s', async (_, end) => {
    const [admin, other] = [await member('admin'), await member('admin')];
    const opened = [await impersonate(admin), await openSession(admin)];
    const others = await openSession(other);
    expect(await Promise.all(opened.map(use))).toEqual([works, works]);
    expect((await end(admin)).status).toBe(200);
    expect(await Promise.all(opened.map(use))).toEqual([isRefused, isRefused]);
    expect(
      await Promise.all([use(others), use({ access_token: ada.accessToken, refresh_token: ada.refreshToken })]),
    ).toEqual([works, works]);
  });

  test('cannot be opened by a request that a suspension overtakes', async () => {
    const admin = await member('admin');
    const calls = { first: () => suspend(admin), second: () => openSession(admin) };
    const [, opened] = await oneAfterTheOther(server, admin.userId, calls);
    expect(opened).toMatchObject({ code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' });
  });

  test('end with a transfer of the project', async () => {
    const heir = await member('admin');
    const opened = [await impersonate(owner), await openSession(owner)];
    const body = { user_id: heir.userId, display_name: 'A project' };
    expect((await as(owner, 'POST /internal/extensions/project-transfer', { body })).status).toBe(200);
    expect(await Promise.all(opened.map(use))).toEqual([isRefused, isRefused]);
  });

  test('end with the loss of one project, and stay in the others', async () => {
    const second = await server.make.project();
    await setOwnedProjects(owner, [project.id, second.id]);
    const opened = [await impersonate(owner), await openSession(owner)];
    await setOwnedProjects(owner, [project.id]);
    expect(await Promise.all(opened.map(use))).toEqual([works, works]);
    await setOwnedProjects(owner, [second.id]);
    expect(await Promise.all(opened.map(use))).toEqual([isRefused, isRefused]);
  });

  test('end with the sign-out of that person only as impersonations', async () => {
    const admin = await member('admin');
    const impersonations = [await impersonate(admin), await openSession(admin, { is_impersonation: true })];
    const session = await openSession(admin);
    await signOut(admin);
    expect(await Promise.all([...impersonations, session].map(use))).toEqual([isRefused, isRefused, works]);
  });

  test('stay when a key of the project opened them', async () => {
    const admin = await member('admin');
    const options = { project, level: 'server', body: { user_id: ada.userId } } as const;
    const opened = (await server.call('POST /auth/sessions', options)).json as Opened;
    await remove(admin);
    expect(await use(opened)).toEqual(works);
  });

  test('are listed as ended for the verifiers of access tokens', async () => {
    const admin = await member('admin');
    const { access_token } = await openSession(admin);
    const { refreshTokenId } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    await remove(admin);
    const { json } = await server.call('GET /extensions/ended-sessions', { project, level: 'server' });
    const [, payload = ''] = (json as { feed: string }).feed.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).session_ids).toEqual([refreshTokenId]);
  });

  describe('end too when a program gets a copy', () => {
    let admin: SignedUp;
    let login: Readonly<Record<'login_code' | 'polling_code', string>>;
    beforeEach(async () => {
      project = await server.make.project({ credentialEnabled: true, rotatesRefreshTokens: true });
      await setOwnedProjects(owner, [project.id]);
      ada = await server.make.user({ project });
      admin = await member('admin');
      login = (await server.call('POST /auth/cli', { project, body: {} })).json as typeof login;
    });

    const complete = ({ refresh_token }: Opened) => {
      const body = { login_code: login.login_code, refresh_token };
      return server.call('POST /auth/cli/complete', { project, level: 'server', body });
    };
    const refreshCopy = async () => {
      const { polling_code } = login;
      const { json } = await server.call('POST /auth/cli/poll', { project, body: { polling_code } });
      const { refresh_token: refreshToken } = json as Opened;
      return server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
    };

    test('before the removal of the person', async () => {
      expect((await complete(await openSession(admin))).status).toBe(200);
      expect((await remove(admin)).status).toBe(200);
      expect((await refreshCopy()).status).toBe(401);
    });

    test('during the removal of the person', async () => {
      const opened = await openSession(admin);
      const both = await whileWaitingToWrite(server, sql`cli_logins`, {
        action: () => complete(opened),
        change: () => remove(admin),
      });
      expect([both.action.status, both.change.status]).toEqual([200, 200]);
      expect((await refreshCopy()).status).toBe(401);
    });
  });

  test('end no later than the session of the person as impersonations', async () => {
    const session = await server.deps.db.query<{ endsAt: number }>(sql`
      update sessions set expires_at_millis = ${server.clock.now() + 60_000}
      where project_id = 'internal' and user_id = ${owner.userId} returning expires_at_millis as "endsAt"
    `);
    expect(await impersonate(owner)).toMatchObject({ expires_at_millis: session[0]?.endsAt });
  });
});

describe('control 34: the links that a person made for users', () => {
  const password = 'a password of the maker';
  let ada: SignedUp;
  beforeEach(async () => {
    project = await server.make.project({ credentialEnabled: true, magicLinkEnabled: true });
    await setOwnedProjects(owner, [project.id]);
    ada = await server.make.user({ project });
    const body = { primary_email_verified: true };
    await server.call('PATCH /users/{user_id}', { project, level: 'server', params: { user_id: ada.userId }, body });
  });

  async function codeBy(person: SignedUp, kind: 'sign_in' | 'password_reset'): Promise<string> {
    const body = { kind, callback_url: 'http://localhost:3000/handler' };
    const params = { user_id: ada.userId };
    const made = await as(person, 'POST /internal/extensions/users/{user_id}/links', { params, body });
    return new URL((made.json as { url: string }).url).searchParams.get('code') ?? '';
  }

  /** The statuses of a check and of the use of both links. */
  async function use([signIn, reset]: readonly [string, string]): Promise<number[]> {
    const answers = [
      await server.call('POST /auth/otp/sign-in/check-code', { project, body: { code: signIn } }),
      await server.call('POST /auth/otp/sign-in', { project, body: { code: signIn } }),
      await server.call('POST /auth/password/reset/check-code', { project, body: { code: reset } }),
      await server.call('POST /auth/password/reset', { project, body: { code: reset, password } }),
    ];
    return answers.map(({ status }) => status);
  }

  test.each(endsOfAccess)('end with %s', async (_, end) => {
    const [admin, other] = [await member('admin'), await member('admin')];
    const made = [await codeBy(admin, 'sign_in'), await codeBy(admin, 'password_reset')] as const;
    const others = [await codeBy(other, 'sign_in'), await codeBy(other, 'password_reset')] as const;
    expect((await end(admin)).status).toBe(200);
    expect(await use(made)).toEqual([404, 404, 404, 404]);
    expect(await use(others)).toEqual([200, 200, 200, 200]);
  });
});

test('a sign-up by invitation that finds all hashing threads busy leaves the invitation open', async () => {
  const address = `invited-${project.id}@example.com`;
  const asked = { projectId: 'internal', kind: 'project_invitation', userId: null, address } as const;
  const data = { projectId: project.id, role: 'viewer' } as const;
  const { code } = await transaction(server.deps.db, tx => createCode(tx, { ...asked, data }, server.deps));
  const signUp = () =>
    server.call('POST /extensions/project-invitations/sign-up', { body: { code, password: 'quiet lantern orbit' } });
  passwords.meanwhile = () => Promise.reject(new HashingBusy('too many passwords are being checked'));
  expect((await signUp()).status).toBe(429);
  expect((await signUp()).status).toBe(200);
});
