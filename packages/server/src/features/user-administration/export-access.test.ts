import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { signInOwner } from './owner.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const userCount = 3_000;

beforeEach(async () => {
  project = await server.make.project();
  await server.deps.db.query(sql`
    insert into users (project_id, id, signed_up_at_millis, search)
    select ${project.id}, gen_random_uuid(), i, i::text from generate_series(1, ${userCount}::integer) i
  `);
});

const decoder = new TextDecoder();

/** Begins an export, and reads its beginning. */
async function beginExport(headers: Record<string, string>) {
  const answer = await server.app(
    new Request('http://localhost:4280/api/v1/internal/extensions/users/export', {
      headers: { 'x-stack-access-type': 'admin', 'x-stack-project-id': project.id, ...headers },
    }),
  );
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = decoder.decode((await reader.read()).value);
  const lineCount = () => text.split('\n').length - 1;
  /** @returns whether the body is complete */
  const readRest = async () => {
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value);
      return true;
    } catch {
      return false;
    }
  };
  return { lineCount, readRest };
}

const asKey = () => ({ 'x-stack-super-secret-admin-key': project.superSecretAdminKey });
const keySets = z.object({ items: z.array(z.object({ id: z.string() })) });

async function revokeKey() {
  const found = await server.call('GET /internal/api-keys', { project, level: 'admin' });
  for (const { id } of keySets.parse(found.json).items) {
    const body = { revoked: true };
    await server.call('PATCH /internal/api-keys/{id}', { project, level: 'admin', params: { id }, body });
  }
}

test('an export of users is complete while its caller has access', async () => {
  const { lineCount, readRest } = await beginExport(asKey());
  expect([await readRest(), lineCount()]).toEqual([true, userCount]);
});

test('control 91: an export of users ends when its key is revoked', async () => {
  const { lineCount, readRest } = await beginExport(asKey());
  await revokeKey();
  expect(await readRest()).toBe(false);
  expect(lineCount()).toBeLessThan(userCount);
});

test('control 91: an export of users ends when the person who reads it loses the project', async () => {
  const { owner, headers } = await signInOwner(server, project.id);
  const { lineCount, readRest } = await beginExport(headers);
  const body = { server_metadata: {} };
  await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: owner.userId }, body });
  expect(await readRest()).toBe(false);
  expect(lineCount()).toBeLessThan(userCount);
});

test('control 91: an export of users ends when the person who reads it signs out', async () => {
  const { owner, headers } = await signInOwner(server, project.id);
  const { lineCount, readRest } = await beginExport(headers);
  await server.call('DELETE /auth/sessions/current', { accessToken: owner.accessToken });
  expect(await readRest()).toBe(false);
  expect(lineCount()).toBeLessThan(userCount);
});

test('an export of users goes on after the access token of its owner has expired', async () => {
  const { headers } = await signInOwner(server, project.id);
  const { lineCount, readRest } = await beginExport(headers);
  server.clock.advance(server.deps.accessTokens.lifetimeMs);
  expect([await readRest(), lineCount()]).toEqual([true, userCount]);
});
