import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { TestServer } from '../../../test/harness.ts';
import { refused } from '../../sign-in/scene.fixtures.ts';
import { codeOf, newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openOAuthScene(server);
});

/** The cookies of a browser in the order of their creation, as it sends them (RFC 6265 section 5.4). */
function createJar(names: string[] = []) {
  const cookies = new Map(names.map(name => [name, 'true']));
  return {
    names: () => [...cookies.keys()],
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep(headers: Headers) {
      for (const [pair = ''] of headers.getSetCookie().map(line => line.split(';'))) {
        const [name = '', value = ''] = pair.split('=');
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}

/** Begins a flow in a browser. @returns its state */
async function begin(jar: ReturnType<typeof createJar>): Promise<string> {
  const answer = await scene.authorize({}, 'github', { cookie: jar.header() });
  jar.keep(answer.headers);
  return new URL(answer.headers.get('location') ?? '').searchParams.get('state') ?? '';
}

const flowNames = (states: readonly string[]) => states.map(state => `stack-oauth-inner-${state}`);

describe('control 51: the flow cookies of a browser', () => {
  test('are at most ten: an eleventh flow deletes the cookie of the oldest, and the other ten complete', async () => {
    const jar = createJar(['stack-access', 'stack-refresh-internal']);
    const states: string[] = [];
    for (let index = 0; index < 11; index++) states.push(await begin(jar));
    expect(jar.names()).toEqual(['stack-access', 'stack-refresh-internal', ...flowNames(states.slice(1))]);
    const answers = await Promise.all(
      states.map(state => scene.callCallback({ state, cookie: jar.header() }, { code: codeOf(newGithubUser()) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, ...Array(10).fill(303)]);
  });

  test('above the maximum are deleted ten at a time', async () => {
    const jar = createJar(flowNames(Array.from({ length: 30 }, (_, index) => String(index).padStart(43, 'a'))));
    const counts: number[] = [];
    for (let index = 0; index < 4; index++) {
      await begin(jar);
      counts.push(jar.names().length);
    }
    expect(counts).toEqual([21, 12, 10, 10]);
  });

  test('with a name that is not one of ours are not written into a header', async () => {
    const names = [...flowNames(['', 'x'.repeat(200), 'a\u00fc']), ...flowNames(Array(20).fill('b'))];
    const answer = await scene.authorize({}, 'github', {
      cookie: names.map(name => `${name}=true`).join('; '),
    });
    for (const line of answer.headers.getSetCookie()) expect(line).toMatch(/^stack-oauth-inner-(b=;|[\w-]{43}=true;)/);
  });
});

const begun = z.object({ url: z.string() });

/** Opens the URL of a new test of the provider `github`. */
async function startTest(headers: Record<string, string>): Promise<Response> {
  const options = { project: scene.project, level: 'admin', body: { provider_id: 'github' } } as const;
  const { json } = await server.call('POST /internal/extensions/oauth-provider-tests', options);
  return server.app(new Request(begun.parse(json).url, { headers }));
}

describe('a page of another site', () => {
  test.each(['image', 'iframe', 'frame', 'embed', 'object', 'script', 'empty'])(
    'control 77: begins no flow with a request for %j',
    async destination => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': destination };
      const answer = await scene.authorize({}, 'github', headers);
      expect(outcome(answer)).toEqual(refused(403));
      expect(answer.headers.get('set-cookie')).toBeNull();
      const started = await startTest(headers);
      expect([started.status, started.headers.get('set-cookie')]).toEqual([403, null]);
    },
  );

  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-mode': 'cors' },
    {},
  ])('does not block another way to begin a flow: %j', async headers => {
    expect((await scene.authorize({}, 'github', headers)).status).toBe(307);
    expect((await startTest(headers)).status).toBe(307);
  });
});
