import { exportsAtOnceMax } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** More than one page of an export, so that it waits for its reader. */
const userCount = 3_000;

async function projectWithUsers(): Promise<ProjectAccess> {
  const project = await server.make.project();
  await server.deps.db.query(sql`
    insert into users (project_id, id, signed_up_at_millis, search)
    select ${project.id}, gen_random_uuid(), i, i::text from generate_series(1, ${userCount}::integer) i
  `);
  return project;
}

function beginExport(project: ProjectAccess, { of = 'users', method = 'GET' } = {}) {
  const headers = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': project.id,
    'x-stack-super-secret-admin-key': project.superSecretAdminKey,
  };
  return server.app(new Request(`http://localhost:4280/api/v1/internal/extensions/${of}/export`, { method, headers }));
}

const fill = (project: ProjectAccess) =>
  Promise.all(Array.from({ length: exportsAtOnceMax }, () => beginExport(project)));
const statusesOf = (answers: readonly Response[]) => answers.map(({ status }) => status);

test('control 102: a project has four exports at once, and another project has its own', async () => {
  const [project, other] = [await projectWithUsers(), await projectWithUsers()];
  expect(statusesOf(await fill(project))).toEqual([200, 200, 200, 200]);
  const refused = await beginExport(project, { of: 'audit-log' });
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
    429,
    '5',
    'Too many exports of this project run at once.',
  ]);
  expect((await beginExport(other)).status).toBe(200);
});

test('an export whose client has read it, or has gone, leaves its place to the next one', async () => {
  const project = await projectWithUsers();
  const [read, gone] = await fill(project);
  await read?.text();
  await gone?.body?.cancel();
  expect(statusesOf([await beginExport(project), await beginExport(project)])).toEqual([200, 200]);
  expect((await beginExport(project)).status).toBe(429);
});

test('HEAD of an export takes no place', async () => {
  const project = await projectWithUsers();
  for (let count = 0; count <= exportsAtOnceMax; count++) {
    expect((await beginExport(project, { method: 'HEAD' })).status).toBe(200);
  }
});
