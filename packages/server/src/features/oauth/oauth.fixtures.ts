import { createHash, randomUUID } from 'node:crypto';
import type { Answered, CallOptions } from '@tessera/testing/call';
import * as z from 'zod';
import type { ProjectConfig } from '../../core/project-config.ts';
import { unreachable } from '../../http/refusal.ts';
import { openTestServer, type TestServer, type TestServerOptions } from '../../test/harness.ts';
import { encryptClientSecret } from '../projects/index.ts';
import { openScene } from '../sign-in/scene.fixtures.ts';

/** A user of the fake GitHub. */
export interface FakeGithubUser {
  readonly id: string;
  readonly email?: string | null;
  readonly isVerified?: boolean;
  readonly name?: string | null;
}

type Answerer = (request: Request) => Response | Promise<Response>;

/** Fake providers in this process: responses by address, and all requests. */
export interface FakeProviders {
  readonly fetch: typeof fetch;
  readonly asked: Request[];
  /** @param address without a query */
  answer(address: string, answerer: Answerer): void;
}

export function createFakeProviders(): FakeProviders {
  const asked: Request[] = [];
  const answerers = new Map<string, Answerer>();
  const ask: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    asked.push(request.clone());
    const { origin, pathname } = new URL(request.url);
    const answerer = answerers.get(origin + pathname);
    if (answerer === undefined) throw new TypeError('fetch failed');
    const response = await answerer(request);
    const location = response.headers.get('location');
    return location === null || request.redirect !== 'follow' ? response : ask(location);
  };
  return { asked, answer: (address, answerer) => void answerers.set(address, answerer), fetch: ask };
}

export const githubTokenEndpoint = 'https://github.com/login/oauth/access_token';
export const githubUser = 'https://api.github.com/user';
export const githubEmails = 'https://api.github.com/user/emails';

/** A fake GitHub. Its codes and tokens contain the user. */
export function playGithub(fakes: FakeProviders, tokenFields: object = {}): void {
  fakes.answer(githubTokenEndpoint, async request => {
    const code = new URLSearchParams(await request.text()).get('code') ?? '';
    return Response.json({ access_token: code, token_type: 'bearer', scope: 'user:email', ...tokenFields });
  });
  fakes.answer(githubUser, request => {
    const { id, name = null } = userOfToken(request);
    return Response.json({ id: Number(id), login: 'ada', name, avatar_url: `https://avatars.example/${id}` });
  });
  fakes.answer(githubEmails, request => {
    const { email, isVerified = true } = userOfToken(request);
    const other = { email: 'other@example.com', primary: false, verified: true };
    return Response.json(email == null ? [other] : [other, { email, primary: true, verified: isVerified }]);
  });
}

/** Opens a test server whose outbound requests reach the fake GitHub and no other provider. */
export function openGithubServer(options: Omit<TestServerOptions, 'fetch'> = {}): Promise<TestServer> {
  const fakes = createFakeProviders();
  playGithub(fakes);
  return openTestServer({ ...options, fetch: fakes.fetch });
}

export function codeOf(person: FakeGithubUser): string {
  return Buffer.from(JSON.stringify(person)).toString('base64url');
}

function userOfToken(request: Request): FakeGithubUser {
  const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
  return JSON.parse(Buffer.from(token, 'base64url').toString());
}

let count = 0;

/** A new user of the fake GitHub. */
export function newGithubUser(more: Partial<FakeGithubUser> = {}): FakeGithubUser {
  const id = String(10_000 + ++count);
  return { id, name: 'Ada Lovelace', email: `ada-${id}-${randomUUID().slice(0, 8)}@example.com`, ...more };
}

/** An app that signs in with providers; makes and calls, and asserts nothing. */
export async function openOAuthScene(server: TestServer, config: Partial<ProjectConfig> = {}) {
  const sealedClientSecret = encryptClientSecret('the github secret', server.deps.secrets);
  const scene = await openScene(server, {
    allowLocalhost: true,
    oauthProviders: [
      { id: 'github', type: 'standard', clientId: 'the github client', sealedClientSecret },
      { id: 'google', type: 'shared' },
    ],
    ...config,
  });
  const { project } = scene;

  /** The query of the app's authorize request. */
  function authorizeQuery(verifier = aVerifier): Record<string, string | undefined> {
    return {
      client_id: project.id,
      client_secret: project.publishableClientKey,
      redirect_uri: appCallback,
      scope: 'legacy',
      state: 'state of the app',
      grant_type: 'authorization_code',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      response_type: 'code',
    };
  }

  function authorize(
    query: Record<string, string | undefined> = {},
    provider_id = 'github',
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    return server.call('GET /auth/oauth/authorize/{provider_id}', {
      level: null,
      params: { provider_id },
      query: { ...authorizeQuery(), ...query },
      headers,
    });
  }

  /** Starts a flow: the state, and the cookie of the browser. */
  async function startFlow(query: Record<string, string | undefined> = {}, providerId = 'github') {
    const answer = await authorize(query, providerId);
    const location = new URL(answer.headers.get('location') ?? unreachable(`no redirect: ${answer.text}`));
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    return { location, cookie, state: location.searchParams.get('state') ?? '' };
  }

  /** Calls the callback. */
  function callCallback(
    { state, cookie }: { state: string; cookie: string },
    query: Record<string, string | undefined>,
    { provider_id = 'github', ...options }: { provider_id?: string } & CallOptions = {},
  ): Promise<Answered> {
    return server.call('GET /auth/oauth/callback/{provider_id}', {
      level: null,
      params: { provider_id },
      query: { state, ...query },
      headers: { cookie },
      ...options,
    });
  }

  /** Starts a flow and calls the callback. @returns its response */
  async function completeFlow(
    person: FakeGithubUser,
    query: Record<string, string | undefined> = {},
  ): Promise<Answered> {
    return callCallback(await startFlow(query), { code: codeOf(person) });
  }

  async function code(person: FakeGithubUser, query: Record<string, string | undefined> = {}): Promise<string> {
    const answer = await completeFlow(person, query);
    const location = answer.headers.get('location') ?? unreachable(`no redirect: ${answer.status} ${answer.text}`);
    return new URL(location).searchParams.get('code') ?? unreachable(`no code: ${location}`);
  }

  function exchange(given: string, fields: Record<string, unknown> = {}): Promise<Answered> {
    const body = {
      grant_type: 'authorization_code',
      code: given,
      redirect_uri: appCallback,
      code_verifier: aVerifier,
      client_id: project.id,
      client_secret: project.publishableClientKey,
      ...fields,
    };
    return server.call('POST /auth/oauth/token', { level: null, body });
  }

  /** A complete sign-in. */
  async function signIn(person: FakeGithubUser, query: Record<string, string | undefined> = {}) {
    const answer = await exchange(await code(person, query));
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      is_new_user: isNewUser,
    } = exchanged.parse(answer.json);
    const { json } = await server.call('GET /users/me', { project, accessToken });
    return { accessToken, refreshToken, isNewUser, user: me.parse(json) };
  }

  return { ...scene, authorizeQuery, authorize, startFlow, callCallback, completeFlow, code, exchange, signIn };
}

export type OAuthScene = Awaited<ReturnType<typeof openOAuthScene>>;

export const appCallback = 'http://localhost:3000/handler/oauth-callback';
/** A verifier of minimal length. */
export const aVerifier = 'a-verifier-of-43-characters-0123456789.~_ab';

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

const exchanged = z.object({ access_token: z.string(), refresh_token: z.string(), is_new_user: z.boolean() });
const me = z.looseObject({ id: z.string(), primary_email: z.string().nullable() });

/** The redirect target of a response, without the random code. */
export function redirectTarget({ headers }: Answered): string | undefined {
  return headers.get('location')?.replace(/code=[0-9a-f]{64}\b/, 'code=a-code');
}
