import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, type Person, plainPasswords, type Scene } from '../sign-in/scene.fixtures.ts';
import { auditInsert } from './index.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  ada = await scene.person({ primary_email: scene.address() });
  server.clock.advance(1_000);
});

const pageSchema = z.object({
  items: z.array(
    z.object({
      at_millis: z.number(),
      action: z.string(),
      is_own: z.boolean(),
      address: z.string().nullable(),
      device: z.object({ browser: z.string().nullable(), system: z.string().nullable(), type: z.string() }),
    }),
  ),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const unknown = { browser: null, system: null, type: 'other' };

async function read(query: Record<string, string> = {}, { accessToken }: Pick<Person, 'accessToken'> = ada) {
  const { project } = scene;
  const answer = await server.call('GET /extensions/security-activity', { project, accessToken, query });
  return pageSchema.parse(answer.json);
}

/** Records events of Ada, the first one half a second ago. */
async function record(...events: readonly object[]): Promise<void> {
  const base = {
    projectId: scene.project.id,
    actor: { type: 'user', id: ada.id },
    userId: ada.id,
    source: { address: '203.0.113.7', userAgent: firefox },
  };
  const stored = events.map((event, index) => ({
    ...base,
    id: randomUUID(),
    atMillis: server.clock.now() - 500 + index,
    ...event,
  }));
  await server.deps.db.query(auditInsert(stored as never));
}

describe('GET /extensions/security-activity', () => {
  test('the end of other sessions is listed in the next response', async () => {
    const [one, two] = [await scene.session(ada.id), await scene.session(ada.id)];
    const { project } = scene;
    const { refreshTokenId } = JSON.parse(Buffer.from(one.accessToken.split('.')[1] ?? '', 'base64url').toString());
    const accessToken = two.accessToken;
    await server.call('DELETE /auth/sessions/{id}', { project, accessToken, params: { id: refreshTokenId } });
    const ended = async () => (await read({}, two)).items.filter(({ action }) => action === 'session.ended').length;
    expect(await ended()).toBe(1);
    await server.call('DELETE /extensions/sessions/others', { project, accessToken });
    expect(await ended()).toBe(2);
  });

  test('lists the events of the caller newest first, with address and device', async () => {
    await record({ action: 'sign_in.failed', actor: { type: 'client', id: null } }, { action: 'factor.passkey_added' });
    const { items } = await read();
    const own = { is_own: true, address: '203.0.113.7' };
    expect(items.slice(0, 2)).toMatchObject([
      { action: 'factor.passkey_added', ...own },
      { action: 'sign_in.failed', ...own },
    ]);
    expect(items[0]?.device.browser).toBe('Firefox 140');
  });

  test('shows what the app did without the address and the device of the administrator', async () => {
    await record(
      { action: 'factor.totp_disabled', actor: { type: 'owner', id: randomUUID() } },
      { action: 'factor.password_set', actor: { type: 'server_key', id: null } },
    );
    const byApp = { is_own: false, address: null, device: unknown };
    expect((await read()).items.slice(0, 2)).toMatchObject([
      { action: 'factor.password_set', ...byApp },
      { action: 'factor.totp_disabled', ...byApp },
    ]);
  });

  test('leaves out events about other users and events that are not about the safety of the account', async () => {
    const before = (await read()).items.length;
    await record({ action: 'sign_in.succeeded', userId: randomUUID() }, { action: 'admin.request' });
    expect((await read()).items).toHaveLength(before);
    const eve = await scene.person({ primary_email: scene.address() });
    await record({ action: 'factor.passkey_removed' });
    expect((await read({}, eve)).items.map(({ action }) => action)).not.toContain('factor.passkey_removed');
  });

  test('pages list each event once', async () => {
    await record(...Array.from({ length: 7 }, () => ({ action: 'sign_in.succeeded' })));
    const times: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await read({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      times.push(...page.items.map(({ at_millis }) => at_millis));
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times).toHaveLength((await read()).items.length);
  });

  test('refuses a page above the limit and a malformed cursor', async () => {
    for (const query of [{ limit: '51' }, { limit: '0' }, { cursor: 'x' }]) {
      const refused = await scene.call('GET /extensions/security-activity', { accessToken: ada.accessToken, query });
      expect(refused).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    }
  });
});
