import { auditFailureWindowMs, rateLimits } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  project = await server.make.project();
});
afterAll(() => server.close());

const events = z.object({ items: z.array(z.looseObject({ actor: z.unknown(), details: z.unknown() })) });

test('control 97: requests that a limit refuses are in the audit log, repetitions as a count', async () => {
  const { email } = await server.make.user({ project });
  const attempt = async () => {
    const body = { email, password: 'a wrong password' };
    return (await server.call('POST /auth/password/sign-in', { project, body })).status;
  };
  const { points } = rateLimits.failedSignInsPerAccount;
  for (let count = 0; count < points; count++) expect(await attempt()).toBe(400);
  for (let count = 0; count < 3; count++) {
    server.clock.advance(1);
    expect(await attempt()).toBe(429);
  }
  server.clock.advance(auditFailureWindowMs);
  await server.deps.audit.flush();
  const query = { action: 'limit.reached' };
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  const actor = { type: 'client', id: null };
  expect(events.parse(json).items.map(({ actor, details }) => ({ actor, details }))).toEqual([
    { actor, details: { limit: 'failedSignInsPerAccount', count: 2 } },
    { actor, details: { limit: 'failedSignInsPerAccount' } },
  ]);
});
