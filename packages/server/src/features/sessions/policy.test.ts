import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, plainPasswords, type Scene } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());

const hour = 3_600_000;
const day = 24 * hour;
const ended = { status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' };

const refresh = (scene: Scene, refreshToken: string) =>
  scene.call('POST /auth/sessions/current/refresh', { refreshToken });

async function listed(scene: Scene, userId: string): Promise<number> {
  const list = await server.call('GET /auth/sessions', {
    project: scene.project,
    level: 'admin',
    query: { user_id: userId },
  });
  return (list.json as { items: unknown[] }).items.length;
}

describe('control 28: a session', () => {
  test('ends at the maximum age of the project, even when it is used', async () => {
    const scene = await openScene(server, { sessionLifetimeMs: day });
    const ada = await scene.person();
    for (let used = 0; used < 4; used++) {
      server.clock.advance(6 * hour - 1);
      expect(await scene.isLive(ada)).toBe(true);
    }
    server.clock.advance(4);
    expect(await refresh(scene, ada.refreshToken)).toEqual(ended);
    expect(await listed(scene, ada.id)).toBe(0);
  });

  test('ends after the idle time of the project', async () => {
    const scene = await openScene(server, { sessionIdleLifetimeMs: hour });
    const ada = await scene.person();
    for (let used = 0; used < 5; used++) {
      server.clock.advance(hour - 1);
      expect(await scene.isLive(ada)).toBe(true);
    }
    expect(await listed(scene, ada.id)).toBe(1);
    server.clock.advance(hour);
    expect(await refresh(scene, ada.refreshToken)).toEqual(ended);
    expect(await listed(scene, ada.id)).toBe(0);
  });

  test('that is older than a new maximum of the project ends', async () => {
    const scene = await openScene(server);
    const [ada, bob] = [await scene.person(), await scene.person()];
    server.clock.advance(2 * day);
    await scene.configure({ sessionLifetimeMs: day });
    expect(await refresh(scene, ada.refreshToken)).toEqual(ended);
    await scene.configure({ sessionLifetimeMs: undefined, sessionIdleLifetimeMs: hour });
    expect(await refresh(scene, bob.refreshToken)).toEqual(ended);
  });

  test('keeps its expiry time when the project raises the maximum', async () => {
    const scene = await openScene(server, { sessionLifetimeMs: day });
    const ada = await scene.person();
    await scene.configure({ sessionLifetimeMs: 30 * day });
    server.clock.advance(day);
    expect(await refresh(scene, ada.refreshToken)).toEqual(ended);
  });

  test('of a server request cannot exceed the maximum of the project, but can be shorter', async () => {
    const scene = await openScene(server, { sessionLifetimeMs: day });
    const { id } = await scene.person();
    const [long, short] = [
      await scene.session(id, { expires_in_millis: 300 * day }),
      await scene.session(id, { expires_in_millis: hour }),
    ];
    server.clock.advance(hour);
    expect([await scene.isLive(long), await scene.isLive(short)]).toEqual([true, false]);
    server.clock.advance(day);
    expect(await scene.isLive(long)).toBe(false);
  });

  test('lives for 365 days when the project sets no maximum', async () => {
    const scene = await openScene(server);
    const ada = await scene.person();
    server.clock.advance(365 * day - 1);
    expect(await scene.isLive(ada)).toBe(true);
    server.clock.advance(1);
    expect(await scene.isLive(ada)).toBe(false);
  });
});
