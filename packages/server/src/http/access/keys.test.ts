import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { insertKeySet, publishProjectChange, revokeKeySets } from '../../features/projects/index.ts';
import { transaction } from '../../platform/database/database.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;

beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

describe('control 92: a key is accepted', () => {
  /** Adds a key set to the project. */
  async function addKey(publishableClientKey: string, lifetimeMs: number): Promise<void> {
    const createdAtMillis = server.clock.now();
    await transaction(server.deps.db, async tx => {
      const set = { projectId: project.id, description: '', source: 'environment' as const, createdAtMillis };
      const keys = { publishableClientKey, secretServerKey: `ssk_${publishableClientKey}` };
      await insertKeySet(tx, { ...set, keys, expiresAtMillis: createdAtMillis + lifetimeMs });
      await publishProjectChange(tx, project.id, server.deps);
    });
  }

  const readProject = (publishableClientKey: string) =>
    server.call('GET /projects/current', { project: { ...project, publishableClientKey } });
  const invalid = () => ({
    status: 401,
    code: 'INVALID_PUBLISHABLE_CLIENT_KEY',
    details: { project_id: project.id },
  });

  test('from its creation until its expiry', async () => {
    expect(outcome(await readProject('pck_short'))).toEqual(invalid());
    await addKey('pck_short', 1_000);
    await vi.waitFor(async () => expect((await readProject('pck_short')).status).toBe(200), { timeout: 20_000 });
    server.clock.advance(999);
    expect((await readProject('pck_short')).status).toBe(200);
    server.clock.advance(1);
    expect(outcome(await readProject('pck_short'))).toEqual(invalid());
  });

  test('until it is revoked, by every process', async () => {
    const beside = await openTestServer({ beside: server });
    await addKey('pck_revoked', 60_000);
    const both = () =>
      Promise.all(
        [server, beside].map(one =>
          one.call('GET /projects/current', { project: { ...project, publishableClientKey: 'pck_revoked' } }),
        ),
      );
    await vi.waitFor(async () => expect((await both()).map(({ status }) => status)).toEqual([200, 200]), {
      timeout: 20_000,
    });
    await transaction(server.deps.db, async tx => {
      const nowMillis = server.clock.now();
      await revokeKeySets(tx, { projectId: project.id, source: 'environment', nowMillis });
      await publishProjectChange(tx, project.id, server.deps);
    });
    await vi.waitFor(async () => expect((await both()).map(outcome)).toEqual([invalid(), invalid()]), {
      timeout: 20_000,
    });
    await beside.close();
  });
});
