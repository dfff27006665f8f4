import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, userJson } from '../test/apps.ts';
import { createBrowser } from '../test/browser.ts';
import { soon } from '../test/soon.ts';
import { createStubServer, json } from '../test/stub-server.ts';
import { accessToken } from '../test/tokens.ts';
import { ownSignIns } from './own-sign-ins.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a sign-in of the page is counted before its listeners are called, and one of another tab is not counted', async () => {
  const server = createStubServer({
    'GET /api/v1/users/me': () => json(userJson),
    'POST /api/v1/auth/oauth/token': () =>
      json({ access_token: accessToken(), token_type: 'Bearer', expires_in: 600, scope: 'legacy' }),
    'POST /api/v1/auth/password/sign-in': () =>
      json({ access_token: accessToken(), refresh_token: 'own', user_id: userJson.id }),
  });
  const { platform, page } = createBrowser().openTab(server.fetch);
  const app = clientApp(platform, { tokenStore: 'cookie' });
  const before = ownSignIns(app.projectId);
  const counts: number[] = [];
  app.user.subscribe(() => counts.push(ownSignIns(app.projectId) - before));

  page.cookies.write('stack-refresh-p1=of-another-tab; Path=/');
  await vi.advanceTimersByTimeAsync(200);
  expect(new Set(counts)).toEqual(new Set([0]));

  counts.length = 0;
  await soon(app.signInWithCredential({ email: 'ada@example.com', password: 'pw', noRedirect: true }));
  expect(new Set(counts)).toEqual(new Set([1]));
});
