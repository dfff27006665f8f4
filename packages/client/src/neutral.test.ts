import { join } from 'node:path';
import vm from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const fromWeb = {
  AbortController,
  AbortSignal,
  Headers,
  Request,
  Response,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  crypto,
  queueMicrotask,
  setTimeout,
};

/** The SDK as one script for a machine that is neither a browser nor Node. */
async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, 'index.ts'),
    platform: 'neutral',
    // The warning says that `import.meta` is empty in a script, which is intended.
    logLevel: 'silent',
    resolve: { conditionNames: ['source', 'import', 'default'], mainFields: ['module', 'main'] },
  });
  const { output } = await build.generate({ format: 'iife', name: 'tessera', codeSplitting: false });
  await build.close();
  return output[0].code;
}

test('the SDK runs on web standards alone, without Node built-ins, process and window', async () => {
  const code = await bundle();
  expect(code).not.toMatch(/\bfrom ?["']node:|require\(/);
  const seen: string[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    seen.push(`${init.method} ${new URL(url).pathname}`);
    if (url.endsWith('/auth/password/sign-in')) return Response.json({ access_token: token, refresh_token: 'r' });
    return Response.json({ id: 'u', signed_up_at_millis: 1, oauth_providers: [], selected_team: null });
  };
  const token = `head.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.signature`;
  const context = vm.createContext({ ...fromWeb, fetch, done: undefined });
  const program = `(async () => {
    const app = new tessera.ClientApp({ tokenStore: 'memory', projectId: 'p', publishableClientKey: 'k', baseUrl: 'https://auth.example' });
    await app.signInWithCredential({ email: 'a@example.com', password: 'p', noRedirect: true });
    const user = await app.getUser({ or: 'throw' });
    const server = new tessera.ServerApp({ tokenStore: null, projectId: 'p', publishableClientKey: 'k', secretServerKey: 's', baseUrl: 'https://auth.example' });
    return [user.id, typeof user.listTeams, typeof server.listUsers];
  })()`;
  const result = await vm.runInContext(`${code}\n${program}`, context);
  expect([...result]).toEqual(['u', 'function', 'function']);
  expect(seen).toEqual(['POST /api/v1/auth/password/sign-in', 'GET /api/v1/users/me']);
});
