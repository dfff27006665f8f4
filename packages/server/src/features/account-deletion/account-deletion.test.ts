import { randomUUID } from 'node:crypto';
import { rateLimits } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allWork } from '../../compose.ts';
import { sql } from '../../platform/database/sql.ts';
import { oneAfterTheOther, whileDeleting, whileHolding } from '../../test/concurrency/waiting-calls.ts';
import { runDueJobs } from '../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { addWebhookEndpoint } from '../../test/webhook-endpoint.ts';
import { bodyOf } from '../sign-in/passkey/ceremonies.fixtures.ts';
import {
  callback,
  noUser,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
  success,
} from '../sign-in/scene.fixtures.ts';
import { deleteIfDue } from './deletion.ts';

const day = 24 * 3600 * 1000;
const password = 'correct horse';

let server: TestServer;
let scene: Scene;
let ada: Person;
let email: string;
beforeAll(async () => {
  server = await openTestServer({
    passwords: plainPasswords(),
    environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '24h' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, {
    clientUserDeletionEnabled: true,
    deletionCoolingOffDays: 14,
    credentialEnabled: true,
    allowUserApiKeys: true,
  });
  email = scene.address();
  ada = await scene.person({
    primary_email: email,
    primary_email_auth_enabled: true,
    primary_email_verified: true,
    password,
  });
});

const as = ({ accessToken }: Pick<Person, 'accessToken'> = ada) => ({ accessToken });
const request = (who?: Person) => scene.call('POST /extensions/account-deletion', as(who));
const cancel = (who?: Pick<Person, 'accessToken'>) => scene.call('DELETE /extensions/account-deletion', as(who));
const read = (who?: Pick<Person, 'accessToken'>) => scene.call('GET /extensions/account-deletion', as(who));
const ofAda = () => ({ level: 'admin', params: { user_id: ada.id } }) as const;
const exists = async (id = ada.id) =>
  (await server.deps.db.query(sql`select id from users where project_id = ${scene.project.id} and id = ${id}`)).length >
  0;
const templates = async () => (await scene.takeEmails()).map(({ template, recipient }) => ({ template, recipient }));

/** Runs the sweep, as the cron job does, and the jobs that it adds. */
async function sweep(): Promise<void> {
  await allWork(server.deps).tasks.delete_due_accounts?.({});
  await runDueJobs(server);
}

const scheduledAnswer = () => ({ status: 200, body: { deletes_at_millis: server.clock.now() + 14 * day } });

describe('a user deletes the own account in a project with a cooling-off period', () => {
  test('the deletion is scheduled, and an email says when', async () => {
    expect(await request()).toEqual(scheduledAnswer());
    expect(await exists()).toBe(true);
    const scheduled = { requested_at_millis: server.clock.now(), deletes_at_millis: server.clock.now() + 14 * day };
    expect(await read()).toEqual({ status: 200, body: { scheduled, teams_without_successor: [] } });
    expect(await scene.takeEmails()).toMatchObject([
      {
        template: 'account_deletion_scheduled',
        recipient: email,
        variables: { deletesAt: expect.stringContaining('UTC') },
      },
    ]);
  });

  test('DELETE /users/me schedules it too, with the answer of the contract', async () => {
    expect(await scene.call('DELETE /users/me', as())).toEqual(success);
    expect(await exists()).toBe(true);
    expect(await read()).toMatchObject({ body: { scheduled: { deletes_at_millis: expect.any(Number) } } });
  });

  test('a repeated request keeps the time and sends no second email', async () => {
    const first = await request();
    server.clock.advance(day / 2);
    expect(await request()).toEqual(first);
    expect(await templates()).toHaveLength(1);
  });

  test('ends all sessions but the one that asked', async () => {
    const other = await scene.session(ada.id);
    await request();
    expect(await scene.isLive(ada)).toBe(true);
    expect(await scene.isLive(other)).toBe(false);
  });

  test('stops the API keys of the user until the account is kept', async () => {
    const body = { description: 'CI', expires_at_millis: null, user_id: ada.id };
    const { value } = bodyOf(await scene.call('POST /user-api-keys', { level: 'server', body })) as { value: string };
    const check = () => scene.call('POST /user-api-keys/check', { level: 'server', body: { api_key: value } });
    expect(await check()).toMatchObject({ status: 200 });
    await request();
    expect(await check()).toMatchObject({ status: 404, code: 'API_KEY_NOT_FOUND' });
    await cancel();
    expect(await check()).toMatchObject({ status: 200 });
  });

  test('the user can sign in and keep the account', async () => {
    await request();
    const signedIn = await server.call('POST /auth/password/sign-in', {
      project: scene.project,
      body: { email, password },
    });
    const { access_token: accessToken } = signedIn.json as { access_token: string };
    await scene.takeEmails();
    expect(await cancel({ accessToken })).toEqual(success);
    expect(await read()).toMatchObject({ body: { scheduled: null } });
    expect(await templates()).toEqual([{ template: 'account_deletion_canceled', recipient: email }]);
    server.clock.advance(20 * day);
    await sweep();
    expect(await exists()).toBe(true);
  });

  test('a cancellation without a scheduled deletion succeeds and sends nothing', async () => {
    expect(await cancel()).toEqual(success);
    expect(await templates()).toEqual([]);
  });

  test('a session that the request ends meanwhile does not cancel it', async () => {
    const other = await scene.session(ada.id);
    const [scheduled, canceled] = await oneAfterTheOther(server, ada.id, {
      first: () => request(),
      second: () => cancel(other),
    });
    expect(scheduled).toEqual(scheduledAnswer());
    expect(canceled).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
    expect(await read()).toMatchObject({ body: { scheduled: { deletes_at_millis: expect.any(Number) } } });
  });

  test('a session that ends during the request schedules nothing', async () => {
    const answer = await whileHolding(server, ada.id, {
      work: () => request(),
      meanwhile: () => scene.call('DELETE /auth/sessions/current', as()),
    });
    expect(answer).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
    expect(await read(await scene.session(ada.id))).toMatchObject({ body: { scheduled: null } });
  });

  test.each([
    ['client', { status: 401, code: 'ACCESS_TOKEN_EXPIRED' }],
    ['server', { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' }],
  ] as const)('a user who is deleted during the request does not cause a 500 at level %s', async (level, expected) => {
    const work = () => scene.call('POST /extensions/account-deletion', { ...as(), level });
    expect(await whileDeleting(server, ada.id, work)).toMatchObject(expected);
  });

  test('an impersonation session can neither request nor cancel', async () => {
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    expect(await scene.call('POST /extensions/account-deletion', as(impersonation))).toEqual(refused(403));
    await request();
    const later = await scene.session(ada.id, { is_impersonation: true });
    expect(await cancel(later)).toEqual(refused(403));
  });

  test('an old sign-in is refused with REAUTHENTICATION_REQUIRED', async () => {
    await scene.configure({ freshSignInWithinMs: 60_000 });
    server.clock.advance(60_000);
    expect(await request()).toEqual({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    expect(await read()).toMatchObject({ body: { scheduled: null } });
  });

  test('an anonymous user, who could not sign in again, is deleted at once', async () => {
    await scene.configure({ anonymousUsersEnabled: true });
    const anonymous = await scene.anonymous();
    expect(await request(anonymous)).toEqual({ status: 200, body: { deletes_at_millis: null } });
    expect(await exists(anonymous.id)).toBe(false);
  });

  test('an unverified address gets no email', async () => {
    const eve = await scene.person({ primary_email: scene.address(), password });
    await request(eve);
    expect(await templates()).toEqual([]);
  });

  test('a server and an admin delete at once, without an email', async () => {
    const [one, two] = [await scene.person(), await scene.person()];
    expect(await scene.call('DELETE /users/me', { ...as(one), level: 'server' })).toEqual(success);
    expect(await scene.call('DELETE /users/{user_id}', { level: 'admin', params: { user_id: two.id } })).toEqual(
      success,
    );
    expect([await exists(one.id), await exists(two.id)]).toEqual([false, false]);
    expect(await templates()).toEqual([]);
  });
});

describe('control 56: a password reset', () => {
  const scheduledOf = ({ id }: Pick<Person, 'id'>) =>
    scene.call('GET /internal/extensions/users/{user_id}/deletion', { level: 'admin', params: { user_id: id } });
  const reset = async (address: string) => {
    await scene.call('POST /auth/password/send-reset-code', { body: { email: address, callback_url: callback } });
    const code = await scene.emailedCode();
    return scene.call('POST /auth/password/reset', { body: { code, password: 'the password of the owner' } });
  };
  const planned = (isVerified: boolean) => {
    const primary_email = scene.address();
    const fields = { primary_email, primary_email_auth_enabled: true, primary_email_verified: isVerified, password };
    return scene.person(fields).then(person => ({ ...person, address: primary_email }));
  };

  test('that proves an unverified address cancels the deletion that an earlier holder scheduled', async () => {
    const eve = await planned(false);
    await request(eve);
    expect(await reset(eve.address)).toEqual(success);
    expect(await scheduledOf(eve)).toEqual({ status: 200, body: { scheduled: null } });
    const notice = { template: 'account_deletion_canceled', recipient: eve.address };
    expect(await templates()).toContainEqual(notice);
    const log = await scene.call('GET /internal/extensions/audit-log', {
      level: 'admin',
      query: { action: 'user.deletion_canceled' },
    });
    expect(log).toMatchObject({ body: { items: [{ user_id: eve.id, actor: { type: 'client', id: null } }] } });
    server.clock.advance(14 * day);
    await sweep();
    expect(await exists(eve.id)).toBe(true);
  });

  test('of an account with a verified address keeps the schedule', async () => {
    const bob = await planned(true);
    await request(bob);
    expect(await reset(bob.address)).toEqual(success);
    expect(await scheduledOf(bob)).toMatchObject({ body: { scheduled: { deletes_at_millis: expect.any(Number) } } });
  });
});

describe('the last administrator of a team', () => {
  async function openTeam(): Promise<string> {
    const body = { display_name: 'Engines', creator_user_id: ada.id };
    const { id } = bodyOf(await scene.call('POST /teams', { level: 'server', body })) as { id: string };
    return id;
  }
  const join = (teamId: string, { id }: Person) =>
    scene.call('POST /team-memberships/{team_id}/{user_id}', {
      level: 'server',
      params: { team_id: teamId, user_id: id },
      body: {},
    });

  test('must name a successor before the account is deleted', async () => {
    const teamId = await openTeam();
    const bob = await scene.person();
    await join(teamId, bob);
    expect(await read()).toMatchObject({
      body: { teams_without_successor: [{ id: teamId, display_name: 'Engines' }] },
    });
    expect(await request()).toEqual({
      status: 409,
      code: 'LAST_TEAM_ADMIN',
      details: { team_id: teamId, user_id: ada.id },
    });
    const params = { team_id: teamId, user_id: bob.id };
    await scene.call('PATCH /extensions/teams/{team_id}/members/{user_id}', {
      ...as(),
      params,
      body: { role_id: 'team_admin' },
    });
    expect(await request()).toMatchObject({ status: 200 });
  });

  test('is the last administrator when the deletion of the other one is scheduled, unless no one else stays', async () => {
    const teamId = await openTeam();
    const [bob, eve] = [await scene.person(), await scene.person()];
    await join(teamId, bob);
    await join(teamId, eve);
    const params = { team_id: teamId, user_id: bob.id };
    const change = { params, body: { role_id: 'team_admin' } };
    await scene.call('PATCH /extensions/teams/{team_id}/members/{user_id}', { ...as(), ...change });
    expect(await request(bob)).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ body: { teams_without_successor: [{ id: teamId }] } });
    expect(await request()).toMatchObject({ status: 409, code: 'LAST_TEAM_ADMIN' });

    expect(await request(eve)).toMatchObject({ status: 200 });
    expect(await request()).toMatchObject({ status: 200 });
  });

  test('of a team without other members is not asked', async () => {
    await openTeam();
    expect(await request()).toMatchObject({ status: 200 });
  });

  test('who is an ordinary member elsewhere is not asked for that team', async () => {
    const bob = await scene.person();
    const body = { display_name: 'Boilers', creator_user_id: bob.id };
    const { id } = bodyOf(await scene.call('POST /teams', { level: 'server', body })) as { id: string };
    await join(id, ada);
    expect(await read()).toMatchObject({ body: { teams_without_successor: [] } });
  });
});

describe('the job', () => {
  test('deletes the account when the time has come, with webhooks, audit event and a goodbye email', async () => {
    await addWebhookEndpoint(server.deps.db, scene.project.id);
    await request();
    server.clock.advance(14 * day - 1);
    await sweep();
    expect(await exists()).toBe(true);
    await scene.takeEmails();
    server.clock.advance(1);
    await sweep();
    expect(await exists()).toBe(false);
    const events = await server.deps.db.query(sql`
      select type, data from webhook_events where project_id = ${scene.project.id} and type = 'user.deleted'
    `);
    expect(events).toEqual([{ type: 'user.deleted', data: { id: ada.id, teams: [] } }]);
    const audited = await server.deps.db.query(sql`
      select action, actor_type as "actorType" from audit_events
      where project_id = ${scene.project.id} and user_id = ${ada.id} and action like 'user.delet%' order by at_millis, id
    `);
    expect(audited).toEqual([
      { action: 'user.deletion_scheduled', actorType: 'user' },
      { action: 'user.deleted', actorType: 'system' },
    ]);
  });

  test('sends the goodbye to the last verified primary address', async () => {
    await request();
    const newer = scene.address();
    await scene.call('PATCH /users/{user_id}', {
      level: 'server',
      params: { user_id: ada.id },
      body: { primary_email: newer, primary_email_verified: true },
    });
    await scene.takeEmails();
    server.clock.advance(14 * day);
    await deleteIfDue({ projectId: scene.project.id, userId: ada.id }, server.deps);
    expect(await templates()).toEqual([{ template: 'account_deleted', recipient: newer }]);
  });

  test('can be repeated, also for a user that does not exist', async () => {
    await request();
    server.clock.advance(14 * day);
    const id = { projectId: scene.project.id, userId: ada.id };
    await deleteIfDue(id, server.deps);
    await deleteIfDue(id, server.deps);
    expect((await templates()).filter(({ template }) => template === 'account_deleted')).toHaveLength(1);
  });

  test('waits until a suspension ends, so that the user is kept out and can still keep the account', async () => {
    await request();
    const suspension = { level: 'server', params: { user_id: ada.id } } as const;
    await scene.call('PUT /extensions/users/{user_id}/suspension', { ...suspension, body: {} });
    server.clock.advance(14 * day);
    await sweep();
    await deleteIfDue({ projectId: scene.project.id, userId: ada.id }, server.deps);
    expect(await exists()).toBe(true);
    await scene.call('DELETE /extensions/users/{user_id}/suspension', suspension);
    await sweep();
    expect(await exists()).toBe(false);
  });

  test('does nothing for a clock that was set back, and deletes later', async () => {
    await request();
    server.clock.advance(14 * day);
    const id = { projectId: scene.project.id, userId: ada.id };
    server.clock.advance(-day);
    await deleteIfDue(id, server.deps);
    expect(await exists()).toBe(true);
    server.clock.advance(day);
    await deleteIfDue(id, server.deps);
    expect(await exists()).toBe(false);
  });

  test('of a deleted project deletes nothing by itself', async () => {
    await request();
    server.clock.advance(14 * day);
    await scene.call('DELETE /internal/projects/current', { level: 'admin' });
    await allWork(server.deps).tasks.delete_due_accounts?.({});
    const jobs = await server.deps.db.query(sql`
      select id from graphile_worker._private_jobs where payload ->> 'userId' = ${ada.id}
    `);
    expect(jobs).toEqual([]);
  });

  test('control 101: of a cancellation and the job at the same time, the first one wins', async () => {
    const job = () => deleteIfDue({ projectId: scene.project.id, userId: ada.id }, server.deps);
    await request();
    server.clock.advance(14 * day);
    const late = await scene.session(ada.id);
    const [, afterJob] = await oneAfterTheOther(server, ada.id, { first: job, second: () => cancel(late) });
    expect([afterJob, await exists()]).toEqual([noUser, false]);

    ada = await scene.person();
    await request();
    server.clock.advance(14 * day);
    const inTime = await scene.session(ada.id);
    const [kept] = await oneAfterTheOther(server, ada.id, { first: () => cancel(inTime), second: job });
    expect([kept, await exists()]).toEqual([success, true]);
  });
});

describe('owners of the project', () => {
  test('see when an account will be deleted, and cancel it', async () => {
    const none = { status: 200, body: { scheduled: null } };
    expect(await scene.call('GET /internal/extensions/users/{user_id}/deletion', ofAda())).toEqual(none);
    await request();
    expect(await scene.call('GET /internal/extensions/users/{user_id}/deletion', ofAda())).toMatchObject({
      body: { scheduled: { requested_at_millis: server.clock.now() } },
    });
    expect(await scene.call('DELETE /internal/extensions/users/{user_id}/deletion', ofAda())).toEqual(success);
    expect(await scene.call('GET /internal/extensions/users/{user_id}/deletion', ofAda())).toEqual(none);
  });

  test('get USER_NOT_FOUND for an unknown user', async () => {
    const unknown = { ...ofAda(), params: { user_id: randomUUID() } };
    const isUnknown = { status: 404, code: 'USER_NOT_FOUND' };
    expect(await scene.call('GET /internal/extensions/users/{user_id}/deletion', unknown)).toEqual(isUnknown);
    expect(await scene.call('DELETE /internal/extensions/users/{user_id}/deletion', unknown)).toEqual(isUnknown);
  });

  test('delete the account now', async () => {
    await request();
    expect(await scene.call('DELETE /users/{user_id}', ofAda())).toEqual(success);
    server.clock.advance(14 * day);
    await sweep();
    expect(await exists()).toBe(false);
  });

  test('the public settings name the period only when there is one', async () => {
    expect(await scene.call('GET /projects/current')).toMatchObject({ body: { deletion_cooling_off_days: 14 } });
    await scene.configure({ deletionCoolingOffDays: 0 });
    expect(bodyOf(await scene.call('GET /projects/current'))).not.toHaveProperty('deletion_cooling_off_days');
  });
});

test.each(['POST /extensions/account-deletion', 'DELETE /users/me'] as const)(
  '%s counts as a write of the user, also when it is repeated',
  async route => {
    expect(await scene.call(route, as())).toMatchObject({ status: 200 });
    const { points, windowMs } = rateLimits.clientWritesPerUser;
    const key = `clientWritesPerUser:${scene.project.id}:${ada.id}`;
    const [counted] = await server.deps.db.query(sql`select points from rate_limits where key = ${key}`);
    expect(counted).toEqual({ points: 1 });
    await server.deps.db.query(
      sql`update rate_limits set points = ${points}, expire = ${Date.now() + windowMs} where key = ${key}`,
    );
    expect(await scene.call(route, as())).toEqual(refused(429));
  },
);

describe('a user deletes the own account in a project without a cooling-off period', () => {
  test.each(['POST /extensions/account-deletion', 'DELETE /users/me'] as const)(
    '%s deletes at once and sends a goodbye email',
    async route => {
      await scene.configure({ deletionCoolingOffDays: 0 });
      expect(await scene.call(route, as())).toMatchObject({ status: 200 });
      expect(await exists()).toBe(false);
      expect(await templates()).toEqual([{ template: 'account_deleted', recipient: email }]);
    },
  );

  test('is refused when users of the project cannot delete their accounts', async () => {
    await scene.configure({ clientUserDeletionEnabled: false });
    expect(await request()).toEqual(refused(400));
  });
});
