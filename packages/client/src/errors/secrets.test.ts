import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientApp, machine, serverApp, serverUserJson, userJson } from '../test/apps.ts';
import { createBrowser } from '../test/browser.ts';
import { list, signedIn, teamJson } from '../test/signed-in.ts';
import { soon } from '../test/soon.ts';
import { createStubServer, json, noConnection, text } from '../test/stub-server.ts';
import { accessToken } from '../test/tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refreshToken = '0123456789abcdefghjkmnpqrstvwxyz0123456789abc';

/** The parts of an error that a log shows: message, stack, members and causes. */
async function shownError(promise: Promise<unknown>): Promise<string> {
  const error = await soon(
    promise.then(
      () => undefined,
      reason => reason,
    ),
  );
  if (!(error instanceof Error)) throw new Error('the call did not fail');
  const chain = [error, error.cause].filter(link => link instanceof Error);
  return chain.map(link => `${link.stack} ${JSON.stringify(link)}`).join('\n');
}

describe('an error of the SDK does not quote a token, a key or a code', () => {
  test('a malformed x-stack-auth header with a token is not quoted', async () => {
    const app = clientApp(machine(createStubServer().fetch));
    const request = { headers: { 'x-stack-auth': `{"refreshToken":"${refreshToken}"` } };
    expect(await shownError(app.getUser({ tokenStore: request }))).not.toContain(refreshToken.slice(0, 10));
  });

  test('a token that a header cannot carry is not quoted', async () => {
    const app = clientApp(machine(createStubServer({ '*': () => json(userJson) }).fetch));
    const tokenStore = { accessToken: accessToken(), refreshToken: `${refreshToken}€` };
    const shown = await shownError(app.getUser({ tokenStore }));
    expect(shown).toContain('x-stack-refresh-token');
    expect(shown).not.toContain(refreshToken.slice(0, 10));
  });

  test('a server key that a header cannot carry is not quoted', async () => {
    const app = serverApp(machine(createStubServer({ '*': noConnection }).fetch), { secretServerKey: 'ssk_sécret\n1' });
    expect(await shownError(app.listUsers())).not.toContain('ssk_s');
  });

  test('a token response that is cut off is not quoted', async () => {
    const cutOff = () =>
      new Response(`{"refresh_token":"${refreshToken}`, { headers: { 'content-type': 'application/json' } });
    const app = clientApp(machine(createStubServer({ '*': cutOff }).fetch));
    const shown = await shownError(app.signInWithMagicLink('code'));
    expect(shown).toContain('The body is not JSON');
    expect(shown).not.toContain(refreshToken.slice(0, 10));
  });

  test('an error page that repeats the request headers is quoted without tokens', async () => {
    const echo = (request: { headers: Headers }) => text(502, JSON.stringify([...request.headers]));
    const app = clientApp(machine(createStubServer({ '*': echo }).fetch));
    const tokenStore = { accessToken: accessToken(), refreshToken };
    const shown = await shownError(app.getUser({ tokenStore }));
    expect(shown).toContain('502');
    expect(shown).not.toContain(refreshToken);
    expect(shown).not.toContain(tokenStore.accessToken);
  });

  test('an untrusted redirect URL is quoted without its query', async () => {
    const { platform } = createBrowser().openTab(createStubServer().fetch);
    const app = clientApp(platform, {
      redirectMethod: 'window',
      urls: { signIn: 'https://evil.example/?code=123456' },
    });
    const shown = await shownError(app.redirectToSignIn());
    expect(shown).toContain('Redirect URL is not trusted; should be relative: https://evil.example/');
    expect(shown).not.toContain('123456');
  });
});

describe('objects of the SDK show only their public members', () => {
  const shownSymbols = (object: object) =>
    Object.getOwnPropertySymbols(object).filter(symbol => Object.prototype.propertyIsEnumerable.call(object, symbol));

  test('a user, a team and an app have no enumerable symbol', async () => {
    const { user, app } = await signedIn({ 'GET /api/v1/teams': () => list(teamJson) });
    const [team] = await soon(user.listTeams());
    expect(team).toBeDefined();
    for (const object of [app, user, team ?? {}]) expect(shownSymbols(object)).toEqual([]);
  });

  test('the fields of a user are equal to a plain object with the same fields', async () => {
    const { user } = await signedIn({ 'GET /api/v1/teams': () => list(teamJson) });
    const [team] = await soon(user.listTeams());
    const methods = Object.fromEntries(Object.keys(team ?? {}).map(key => [key, expect.anything()]));
    expect(team).toEqual({
      ...methods,
      id: 't1',
      displayName: 'Crew',
      profileImageUrl: null,
      clientMetadata: null,
      clientReadOnlyMetadata: null,
    });
    expect(structuredClone(JSON.parse(JSON.stringify(team)))).toEqual({
      id: 't1',
      displayName: 'Crew',
      profileImageUrl: null,
      clientMetadata: null,
      clientReadOnlyMetadata: null,
    });
  });

  test('the user of a server app has no enumerable symbol', async () => {
    const app = serverApp(machine(createStubServer({ '*': () => json(serverUserJson) }).fetch));
    const user = await soon(app.getUser(serverUserJson.id));
    expect(shownSymbols(user ?? {})).toEqual([]);
  });
});
