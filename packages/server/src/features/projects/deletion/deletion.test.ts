import { randomUUID } from 'node:crypto';
import { auditFailureWindowMs } from '@tessera/protocol';
import { type CallOptions, internalKeys, type ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { runDueJobs } from '../../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import { plainPasswords } from '../../sign-in/scene.fixtures.ts';
import { projectDeletion } from './deletion.ts';

let server: TestServer;
let beside: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  beside = await openTestServer({ beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  project = await server.make.project({ allowUserApiKeys: true });
});

const made = z.object({ id: z.string() });

const remove = (options: CallOptions = {}) =>
  server.call('DELETE /internal/projects/current', { project, level: 'admin', ...options });

/** Makes all delayed jobs due, and runs them. */
async function runJobs(): Promise<void> {
  await server.deps.db.query(sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`);
  await runDueJobs(server);
}

/** The number of rows of a project by table; tables without rows are left out. */
async function rowsOf(projectId: string): Promise<Record<string, number>> {
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(`select count(*)::integer as n from ${name} where project_id = $1`, [
      projectId,
    ]);
    if (rows[0].n > 0) counts[name] = rows[0].n;
  }
  const { rows } = await client.query('select count(*)::integer as n from projects where id = $1', [projectId]);
  if (rows[0].n > 0) counts.projects = rows[0].n;
  await client.end();
  return counts;
}

async function fill({ id }: ProjectAccess): Promise<SignedUp> {
  const asServer = { project, level: 'server' } as const;
  await addWebhookEndpoint(server.deps.db, id);
  const ada = await server.make.user({ project });
  const signIn = { email: ada.email, password: ada.password };
  await server.call('POST /auth/password/sign-in', { project, body: signIn });
  const team = made.parse(
    (await server.call('POST /teams', { ...asServer, body: { display_name: 'T', creator_user_id: ada.userId } })).json,
  );
  await server.call('POST /project-permission-definitions', { project, level: 'admin', body: { id: 'beta' } });
  await server.call('POST /project-permissions/{user_id}/{permission_id}', {
    ...asServer,
    params: { user_id: ada.userId, permission_id: 'beta' },
    body: {},
  });
  const key = { description: '', expires_at_millis: null, user_id: ada.userId };
  await server.call('POST /user-api-keys', { ...asServer, body: key });
  await server.call('POST /team-invitations/send-code', {
    ...asServer,
    body: { team_id: team.id, email: 'eve@example.com', callback_url: 'http://localhost/join' },
  });
  await transaction(server.deps.db, tx => addJob(tx, 'something', { projectId: id }, { delayMs: 3_600_000 }));
  return ada;
}

describe('DELETE /internal/projects/current', () => {
  test('makes the project unknown at once on this process, and within a second on every other', async () => {
    const levels = { client: 'PUBLISHABLE_CLIENT_KEY', server: 'SECRET_SERVER_KEY', admin: 'SUPER_SECRET_ADMIN_KEY' };
    const read = (at: TestServer) =>
      Promise.all(
        Object.keys(levels).map(async level =>
          outcome(await at.call('GET /projects/current', { project, level: level as keyof typeof levels })),
        ),
      );
    expect((await read(beside)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(outcome(await remove())).toEqual({ status: 200, body: { success: true } });
    const details = { project_id: project.id };
    const unknown = Object.values(levels).map(kind => ({ status: 401, code: `INVALID_${kind}`, details }));
    expect(await read(server)).toEqual(unknown);
    await expect.poll(() => read(beside), { interval: 5 }).toEqual(unknown);
  });

  test('deletes all rows of the project', async () => {
    await fill(project);
    const other = await server.make.project();
    const others = await rowsOf(other.id);
    expect(Object.keys(await rowsOf(project.id))).toEqual(
      expect.arrayContaining([
        'api_key_sets',
        'api_keys',
        'contact_channels',
        'events',
        'mails',
        'one_time_codes',
        'permission_definitions',
        'project_permissions',
        'projects',
        'sessions',
        'team_memberships',
        'team_permissions',
        'teams',
        'users',
        'webhook_events',
      ]),
    );
    await remove();
    await runJobs();
    expect(await rowsOf(project.id)).toEqual({});
    expect(await rowsOf(other.id)).toEqual(others);
    const jobs = await server.deps.db.query(sql`
      select id from graphile_worker._private_jobs where payload ->> 'projectId' = ${project.id}
    `);
    expect(jobs).toEqual([]);
  });

  test('leaves no audit events: counted failures that are written after the deletion are dropped', async () => {
    const event = { projectId: project.id, action: 'sign_in.failed', actor: { type: 'client', id: null } } as const;
    for (let count = 0; count < 20; count++) {
      server.deps.audit.recordFailure({ ...event, atMillis: server.clock.now() }, 'a wrong password');
    }
    await remove();
    await runJobs();
    server.clock.advance(auditFailureWindowMs);
    await server.deps.audit.flush();
    expect(await rowsOf(project.id)).toEqual({});
  });

  test('removes the project from all its owners, who keep their other projects', async () => {
    const [ada, eve] = [await server.make.user(), await server.make.user()];
    const other = await server.make.project();
    const metadataOf = async ({ accessToken }: SignedUp) =>
      ((await server.call('GET /users/me', { level: 'server', accessToken })).json as { server_metadata: unknown })
        .server_metadata;
    const give = ({ accessToken }: SignedUp, server_metadata: unknown) =>
      server.call('PATCH /users/me', { level: 'server', accessToken, body: { server_metadata } });
    await give(ada, { plan: 'gold', managedProjectIds: [project.id, other.id, project.id] });
    await give(eve, { managedProjectIds: [project.id] });
    const bystander = await server.make.user();
    await give(bystander, { note: project.id, managedProjectIds: [other.id] });
    await remove();
    expect([await metadataOf(ada), await metadataOf(eve), await metadataOf(bystander)]).toEqual([
      { plan: 'gold', managedProjectIds: [other.id] },
      { managedProjectIds: [] },
      { note: project.id, managedProjectIds: [other.id] },
    ]);
  });

  test('an owner whose list still names the deleted project gets INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN', async () => {
    const { accessToken } = await server.make.user();
    const headers = {
      'x-stack-access-type': 'admin',
      'x-stack-project-id': project.id,
      'x-stack-admin-access-token': accessToken,
    };
    const asOwner = { level: null, headers };
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    await server.call('PATCH /users/me', { level: 'server', accessToken, body });
    expect((await server.call('DELETE /internal/projects/current', asOwner)).status).toBe(200);
    const notAdmin = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(outcome(await server.call('GET /internal/projects/current', asOwner))).toEqual(notAdmin);
    await server.call('PATCH /users/me', { level: 'server', accessToken, body });
    const gone = { status: 401, code: 'INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN' };
    expect(outcome(await server.call('GET /internal/projects/current', asOwner))).toEqual(gone);
  });

  test('control 107: the project internal cannot be deleted', async () => {
    const internal = { id: 'internal', ...internalKeys };
    expect(outcome(await remove({ project: internal }))).toEqual({ status: 403, says: 'a sentence' });
    await runJobs();
    expect((await server.call('GET /projects/current')).status).toBe(200);
  });

  test('control 107: the audit log of the installation records who deleted a project', async () => {
    await remove();
    const rows = await server.deps.db.query(sql`
      select project_id as "projectId", actor_type as "actorType", subject_id as "subjectId"
      from audit_events where action = 'project.deleted' and subject_id = ${project.id}
    `);
    expect(rows).toEqual([{ projectId: 'internal', actorType: 'admin_key', subjectId: project.id }]);
  });

  test.each(['client', 'server'] as const)('is nothing for level %s', async level => {
    expect(outcome(await remove({ level }))).toMatchObject({ status: 401, code: 'INSUFFICIENT_ACCESS_TYPE' });
  });

  test('control 101: concurrent deletions of one project are answered with 200, 401 or 404, and never fail', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove()));
    const codes = answers.map(({ status }) => status).sort();
    expect(codes[0]).toBe(200);
    expect(codes.every(status => [200, 401, 404].includes(status))).toBe(true);
  });

  test('a process that missed the notification refuses reads and writes with PROJECT_NOT_FOUND', async () => {
    expect((await server.call('GET /projects/current', { project })).status).toBe(200);
    await server.deps.db.query(sql`update projects set deleted_at_millis = 1 where id = ${project.id}`);
    const keys = {
      description: '',
      expires_at_millis: 1,
      has_publishable_client_key: true,
      has_secret_server_key: false,
      has_super_secret_admin_key: false,
    };
    const options = { project, level: 'admin' } as const;
    const answers = [
      await server.call('GET /internal/projects/current', options),
      await server.call('PATCH /internal/projects/current', { ...options, body: { display_name: 'x' } }),
      await server.call('POST /internal/api-keys', { ...options, body: keys }),
      await server.call('PATCH /internal/extensions/limits', { ...options, body: {} }),
      await remove(),
    ];
    const gone = { status: 404, code: 'PROJECT_NOT_FOUND', details: { project_id: project.id } };
    expect(answers.map(outcome)).toEqual(answers.map(() => gone));
  });

  test('a deletion with a body succeeds and ignores the body', async () => {
    expect((await remove({ body: { confirm: true } })).status).toBe(200);
  });
});

describe('the deletion of the rows', () => {
  async function makeUsers(count: number): Promise<void> {
    await server.deps.db.query(sql`
      insert into users (project_id, id, signed_up_at_millis, search)
      select ${project.id}, gen_random_uuid(), i, i::text from generate_series(1, ${count}::integer) i
    `);
  }

  const left = async () => {
    const [row] = await server.deps.db.query<{ n: number }>(
      sql`select count(*) as n from users where project_id = ${project.id}`,
    );
    return row?.n ?? 0;
  };

  test('is split over several jobs', async () => {
    await makeUsers(25_000);
    await remove();
    const job = projectDeletion(server.deps);
    const counts = [await left()];
    while (counts.at(-1) !== 0) {
      await job({ projectId: project.id });
      counts.push(await left());
    }
    expect(counts.length).toBeGreaterThan(2);
    await runJobs();
    expect(await rowsOf(project.id)).toEqual({});
  });

  test('does not block a write to another project', async () => {
    await makeUsers(5_000);
    await remove();
    const other = await server.make.project();
    const deleting = projectDeletion(server.deps)({ projectId: project.id });
    const ada = await server.make.user({ project: other });
    expect(ada.userId).not.toBe('');
    await deleting;
  });

  test('can be repeated', async () => {
    await remove();
    const job = projectDeletion(server.deps);
    await job({ projectId: project.id });
    await job({ projectId: project.id });
    await job({ projectId: randomUUID() });
    expect(await rowsOf(project.id)).toEqual({});
  });
});
