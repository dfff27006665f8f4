import { type OAuthProviderId, oauthProviderIds } from '@tessera/protocol';
import { outcome } from '@tessera/testing/outcome';
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { encryptClientSecret } from '../../projects/index.ts';
import { refused } from '../../sign-in/scene.fixtures.ts';
import { createFakeProviders, type OAuthScene, openOAuthScene } from '../oauth.fixtures.ts';

const fakes = createFakeProviders();
const clientId = 'the client';
const clientSecret = 'the secret/of + it';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openTestServer({ fetch: fakes.fetch });
  const sealedClientSecret = encryptClientSecret(clientSecret, server.deps.secrets);
  scene = await openOAuthScene(server, {
    oauthProviders: oauthProviderIds.map(id => ({ id, type: 'standard', clientId, sealedClientSecret })),
  });
});
afterAll(() => server.close());

/** The behaviour of a provider, from its documentation and not from our rows. */
interface Fake {
  readonly authorization: string;
  /** The parameters beside those that every provider gets. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly token: string;
  readonly isPkceLess?: true;
  readonly isSecretInBody?: true;
  readonly sendsNonce?: true;
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly tokenFields?: object;
  /** Profile documents by address. */
  readonly documents: Readonly<Record<string, unknown>>;
  readonly user: object;
}

const emptyProfile = {
  display_name: null,
  primary_email: null,
  primary_email_verified: false,
  profile_image_url: null,
};
const ada = { display_name: 'Ada', primary_email_verified: true };

const providers: Record<OAuthProviderId, Fake> = {
  google: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    parameters: {
      scope: 'https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile',
      prompt: 'consent',
      include_granted_scopes: 'true',
    },
    token: 'https://oauth2.googleapis.com/token',
    idToken: { iss: 'https://accounts.google.com', sub: '117' },
    documents: {
      'https://openidconnect.googleapis.com/v1/userinfo': {
        sub: '117',
        name: 'Ada',
        email: 'Ada.Google@Example.com',
        email_verified: true,
        picture: 'https://lh3.example/ada',
      },
    },
    user: {
      ...ada,
      primary_email: 'ada.google@example.com',
      profile_image_url: 'https://lh3.example/ada',
      oauth_providers: [{ id: 'google', account_id: '117', email: 'Ada.Google@Example.com' }],
    },
  },
  github: {
    authorization: 'https://github.com/login/oauth/authorize',
    parameters: { scope: 'user:email' },
    token: 'https://github.com/login/oauth/access_token',
    documents: {
      'https://api.github.com/user': {
        id: 4711,
        login: 'ada',
        name: 'Ada',
        avatar_url: 'https://avatars.example/4711',
      },
      'https://api.github.com/user/emails': [
        { email: 'other@example.com', primary: false, verified: true },
        { email: 'ada.github@example.com', primary: true, verified: true },
      ],
    },
    user: {
      ...ada,
      primary_email: 'ada.github@example.com',
      profile_image_url: 'https://avatars.example/4711',
      oauth_providers: [{ id: 'github', account_id: '4711', email: 'ada.github@example.com' }],
    },
  },
  microsoft: {
    authorization: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/authorize',
    parameters: { scope: 'User.Read openid' },
    token: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/token',
    sendsNonce: true,
    idToken: {
      iss: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      tid: '9188040d-6c67-4c5b-b112-36a304b66dad',
      sub: 'pairwise',
    },
    documents: {
      'https://graph.microsoft.com/v1.0/me': {
        id: 'ms-1',
        displayName: 'Ada',
        mail: null,
        userPrincipalName: 'ada.microsoft@example.com',
      },
    },
    user: {
      ...emptyProfile,
      display_name: 'Ada',
      primary_email: 'ada.microsoft@example.com',
      oauth_providers: [{ id: 'microsoft', account_id: 'ms-1', email: 'ada.microsoft@example.com' }],
    },
  },
  spotify: {
    authorization: 'https://accounts.spotify.com/authorize',
    parameters: { scope: 'user-read-email user-read-private' },
    token: 'https://accounts.spotify.com/api/token',
    documents: {
      'https://api.spotify.com/v1/me': {
        id: 'spotty',
        display_name: 'Ada',
        email: 'ada.spotify@example.com',
        images: [{ url: 'https://i.example/300' }, { url: 'https://i.example/64' }],
      },
    },
    user: {
      ...emptyProfile,
      display_name: 'Ada',
      primary_email: 'ada.spotify@example.com',
      profile_image_url: 'https://i.example/300',
      oauth_providers: [{ id: 'spotify', account_id: 'spotty', email: 'ada.spotify@example.com' }],
    },
  },
  facebook: {
    authorization: 'https://facebook.com/v20.0/dialog/oauth/',
    parameters: { scope: 'openid public_profile email' },
    token: 'https://graph.facebook.com/v20.0/oauth/access_token',
    idToken: { iss: 'https://www.facebook.com', sub: '1000' },
    documents: {
      'https://graph.facebook.com/v3.2/me': { id: '1000', name: 'Ada', email: 'ada.facebook@example.com' },
      'https://graph.facebook.com/v3.2/me/picture': { data: { url: 'https://fb.example/small' } },
    },
    user: {
      ...emptyProfile,
      display_name: 'Ada',
      primary_email: 'ada.facebook@example.com',
      profile_image_url: 'https://fb.example/small',
      oauth_providers: [{ id: 'facebook', account_id: '1000', email: 'ada.facebook@example.com' }],
    },
  },
  discord: {
    authorization: 'https://discord.com/oauth2/authorize',
    parameters: { scope: 'identify email' },
    token: 'https://discord.com/api/oauth2/token',
    documents: {
      'https://discord.com/api/users/@me': {
        id: '80351110224678912',
        username: 'ada',
        global_name: null,
        email: 'ada.discord@example.com',
        verified: true,
        avatar: 'a_8342729096ea',
      },
    },
    user: {
      display_name: 'ada',
      primary_email: 'ada.discord@example.com',
      primary_email_verified: true,
      profile_image_url: 'https://cdn.discordapp.com/avatars/80351110224678912/a_8342729096ea.gif',
      oauth_providers: [{ id: 'discord', account_id: '80351110224678912', email: 'ada.discord@example.com' }],
    },
  },
  gitlab: {
    authorization: 'https://gitlab.com/oauth/authorize',
    parameters: { scope: 'read_user' },
    token: 'https://gitlab.com/oauth/token',
    documents: {
      'https://gitlab.com/api/v4/user': {
        id: 12,
        name: 'Ada',
        email: 'ada.gitlab@example.com',
        avatar_url: 'https://gitlab.example/12.png',
      },
      'https://gitlab.com/api/v4/user/emails': [
        { id: 1, email: 'ada.gitlab@example.com', confirmed_at: '2021-03-26T19:07:56.248Z' },
      ],
    },
    user: {
      ...ada,
      primary_email: 'ada.gitlab@example.com',
      profile_image_url: 'https://gitlab.example/12.png',
      oauth_providers: [{ id: 'gitlab', account_id: '12', email: 'ada.gitlab@example.com' }],
    },
  },
  bitbucket: {
    authorization: 'https://bitbucket.org/site/oauth2/authorize',
    parameters: { scope: 'account email' },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    documents: {
      'https://api.bitbucket.org/2.0/user': {
        account_id: '557058:aa',
        display_name: 'Ada',
        links: { avatar: { href: 'https://bb.example/ada' } },
      },
      'https://api.bitbucket.org/2.0/user/emails': {
        values: [
          { email: 'ada.bitbucket@example.com', is_primary: true, is_confirmed: true },
          { email: 'other@example.com', is_primary: false, is_confirmed: true },
        ],
      },
    },
    user: {
      ...ada,
      primary_email: 'ada.bitbucket@example.com',
      profile_image_url: 'https://bb.example/ada',
      oauth_providers: [{ id: 'bitbucket', account_id: '557058:aa', email: 'ada.bitbucket@example.com' }],
    },
  },
  linkedin: {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    parameters: { scope: 'openid profile email' },
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    isPkceLess: true,
    isSecretInBody: true,
    idToken: { iss: 'https://www.linkedin.com/oauth', sub: '782bbtaQ' },
    // Some versions leave it out.
    tokenFields: { token_type: undefined },
    documents: {
      'https://api.linkedin.com/v2/userinfo': {
        sub: '782bbtaQ',
        name: 'Ada',
        email: 'ada.linkedin@example.com',
        email_verified: 'true',
        picture: 'https://media.example/ada',
      },
    },
    user: {
      ...ada,
      primary_email: 'ada.linkedin@example.com',
      profile_image_url: 'https://media.example/ada',
      oauth_providers: [{ id: 'linkedin', account_id: '782bbtaQ', email: 'ada.linkedin@example.com' }],
    },
  },
  apple: {
    authorization: 'https://appleid.apple.com/auth/authorize',
    parameters: { scope: 'name email', response_mode: 'form_post' },
    token: 'https://appleid.apple.com/auth/token',
    isSecretInBody: true,
    sendsNonce: true,
    idToken: {
      iss: 'https://appleid.apple.com',
      sub: '001234.abc.0123',
      email: 'ada.apple@privaterelay.example',
      email_verified: 'true',
    },
    documents: {},
    user: {
      ...emptyProfile,
      primary_email: 'ada.apple@privaterelay.example',
      primary_email_verified: true,
      oauth_providers: [{ id: 'apple', account_id: '001234.abc.0123', email: 'ada.apple@privaterelay.example' }],
    },
  },
  x: {
    authorization: 'https://twitter.com/i/oauth2/authorize',
    parameters: { scope: 'users.read offline.access tweet.read' },
    token: 'https://api.x.com/2/oauth2/token',
    documents: {
      'https://api.x.com/2/users/me': {
        data: { id: '2244994945', name: '', username: 'ada', profile_image_url: 'https://pbs.example/ada.jpg' },
      },
    },
    user: {
      ...emptyProfile,
      display_name: 'ada',
      profile_image_url: 'https://pbs.example/ada.jpg',
      oauth_providers: [{ id: 'x', account_id: '2244994945', email: null }],
    },
  },
};

const keys = await generateKeyPair('RS256');
type SigningKey = typeof keys.privateKey;

/** Plays a provider. `changes` replace parts of its behaviour. */
function play(fake: Fake, nonce: string | null, changes: { idToken?: object; signer?: SigningKey } = {}): void {
  fakes.answer(fake.token, async () => {
    const claims = fake.idToken && { ...fake.idToken, ...(nonce === null ? {} : { nonce }), ...changes.idToken };
    const id_token = claims && (await idToken(claims, changes.signer));
    const tokens = { access_token: 'an access token', token_type: 'Bearer', expires_in: '3600', refresh_token: null };
    return Response.json({ ...tokens, ...(id_token && { id_token }), ...fake.tokenFields });
  });
  for (const [address, document] of Object.entries(fake.documents)) {
    fakes.answer(address, request =>
      request.headers.get('authorization') === 'Bearer an access token'
        ? Response.json(document)
        : new Response('', { status: 401 }),
    );
  }
  fakes.answer('https://appleid.apple.com/auth/keys', async () =>
    Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'a key', alg: 'RS256', use: 'sig' }] }),
  );
}

function idToken(claims: object, signer = keys.privateKey): Promise<string> {
  const nowSeconds = Math.floor(server.clock.now() / 1000);
  return new SignJWT({ aud: clientId, iat: nowSeconds, exp: nowSeconds + 300, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'a key' })
    .sign(signer);
}

async function startFlow(id: OAuthProviderId) {
  const flow = await scene.startFlow({}, id);
  return { ...flow, nonce: flow.location.searchParams.get('nonce') };
}

/** Apple posts a form. */
function callCallback(id: OAuthProviderId, flow: { state: string; cookie: string }) {
  const code = 'a code';
  if (id !== 'apple') return scene.callCallback(flow, { code }, { provider_id: id });
  const { state, cookie } = flow;
  const params = { provider_id: id };
  return server.call('POST /auth/oauth/callback/{provider_id}', {
    level: null,
    params,
    body: { state, code },
    headers: { cookie },
  });
}

async function lastTokenCall(token: string) {
  const request = fakes.asked.findLast(({ url }) => url === token);
  const body = Object.fromEntries(new URLSearchParams(await request?.text()));
  return { method: request?.method, authorization: request?.headers.get('authorization') ?? null, body };
}

describe.each(oauthProviderIds)('%s', id => {
  const fake = providers[id];

  test('gets an authorization request with all its parameters', async () => {
    const { location, nonce } = await startFlow(id);
    expect(location.origin + location.pathname).toBe(fake.authorization);
    const pkce = { code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' };
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: clientId,
      redirect_uri: `http://localhost:4280/api/v1/auth/oauth/callback/${id}`,
      response_type: 'code',
      access_type: 'offline',
      state: expect.stringMatching(/^[\w-]{43}$/),
      ...(fake.isPkceLess ? {} : pkce),
      ...(fake.sendsNonce ? { nonce } : {}),
      ...fake.parameters,
    });
  });

  test('gets the code, the verifier and the client authentication', async () => {
    const flow = await startFlow(id);
    play(fake, flow.nonce);
    await callCallback(id, flow);
    const basic = Buffer.from('the%20client:the%20secret%2Fof%20%2B%20it'.replaceAll('%20', '+')).toString('base64');
    expect(await lastTokenCall(fake.token)).toEqual({
      method: 'POST',
      authorization: fake.isSecretInBody ? null : `Basic ${basic}`,
      body: {
        grant_type: 'authorization_code',
        code: 'a code',
        redirect_uri: `http://localhost:4280/api/v1/auth/oauth/callback/${id}`,
        ...(fake.isPkceLess ? {} : { code_verifier: expect.stringMatching(/^[\w-]{43}$/) }),
        ...(fake.isSecretInBody ? { client_id: clientId, client_secret: clientSecret } : {}),
      },
    });
  });

  test('signs its user in with the profile', async () => {
    const flow = await startFlow(id);
    play(fake, flow.nonce);
    const answer = await callCallback(id, flow);
    expect(answer.text).toBe('{}');
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { json } = await scene.exchange(code);
    const { access_token: accessToken } = json as { access_token: string };
    expect(await scene.call('GET /users/me', { accessToken })).toMatchObject({ status: 200, body: fake.user });
  });

  if (fake.idToken !== undefined) {
    test.each<[string, { idToken: object }]>([
      ['another issuer', { idToken: { iss: 'https://evil.example' } }],
      ['another audience', { idToken: { aud: 'another client' } }],
      ['several audiences and another authorized party', { idToken: { aud: [clientId, 'x'], azp: 'x' } }],
      ['an expiry in the past', { idToken: { exp: 1 } }],
      ['a nonce of another flow', { idToken: { nonce: 'another' } }],
    ])('control 53: an ID token with %s is refused', async (_, changes) => {
      const flow = await startFlow(id);
      play(fake, flow.nonce, changes);
      expect(outcome(await callCallback(id, flow))).toEqual(refused(400));
    });
  }
});

test('control 53: a Microsoft ID token of another tenant than the configured one is refused', async () => {
  const tenant = '11111111-2222-4333-8444-555555555555';
  const sealedClientSecret = encryptClientSecret(clientSecret, server.deps.secrets);
  const own = await openOAuthScene(server, {
    oauthProviders: [{ id: 'microsoft', type: 'standard', clientId, sealedClientSecret, microsoftTenantId: tenant }],
  });
  const token = `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`;
  const issuer = (tid: string) => ({ iss: `https://login.microsoftonline.com/${tid}/v2.0`, tid });
  for (const [claims, status] of [
    [issuer(tenant), 303],
    [issuer('9188040d-6c67-4c5b-b112-36a304b66dad'), 400],
  ] as const) {
    const flow = await own.startFlow({}, 'microsoft');
    expect(flow.location.pathname).toBe(`/${tenant}/oauth2/v2.0/authorize`);
    play({ ...providers.microsoft, token }, flow.location.searchParams.get('nonce'), { idToken: claims });
    expect((await own.callCallback(flow, { code: 'x' }, { provider_id: 'microsoft' })).status).toBe(status);
  }
});

test('Facebook gets the business login configuration, and an account without an address is refused', async () => {
  const sealedClientSecret = encryptClientSecret(clientSecret, server.deps.secrets);
  const own = await openOAuthScene(server, {
    oauthProviders: [{ id: 'facebook', type: 'standard', clientId, sealedClientSecret, facebookConfigId: 'biz' }],
  });
  const flow = await own.startFlow({}, 'facebook');
  expect(flow.location.searchParams.get('config_id')).toBe('biz');
  play(providers.facebook, null);
  fakes.answer('https://graph.facebook.com/v3.2/me', () => Response.json({ id: '1000', name: 'Ada' }));
  const answer = await own.callCallback(flow, { code: 'x' }, { provider_id: 'facebook' });
  expect(outcome(answer)).toEqual(refused(400));
});

test('Apple gets a cookie with SameSite=None, because it returns with a POST', async () => {
  const answer = await scene.authorize({}, 'apple');
  expect(answer.headers.get('set-cookie')).toMatch(/; Max-Age=600; Secure; HttpOnly; SameSite=None$/);
});

describe('Apple with a key in place of a client secret', () => {
  async function signInWith(privateKey: SigningKey) {
    const key = { team_id: 'TEAM012345', key_id: 'KEY0123456', private_key: await exportPKCS8(privateKey) };
    const sealedClientSecret = encryptClientSecret(JSON.stringify(key), server.deps.secrets);
    const own = await openOAuthScene(server, {
      oauthProviders: [{ id: 'apple', type: 'standard', clientId, sealedClientSecret }],
    });
    const flow = await own.startFlow({}, 'apple');
    play(providers.apple, flow.location.searchParams.get('nonce'));
    return callCallback('apple', flow);
  }

  test('gets a client secret that the key has signed, valid for five minutes', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const answer = await signInWith(privateKey);
    expect(answer.status).toBe(303);
    const { body } = await lastTokenCall(providers.apple.token);
    const { payload, protectedHeader } = await jwtVerify(body.client_secret ?? '', publicKey, {
      currentDate: new Date(server.clock.now()),
    });
    const nowSeconds = Math.floor(server.clock.now() / 1000);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY0123456' });
    expect(payload).toEqual({
      iss: 'TEAM012345',
      iat: nowSeconds,
      exp: nowSeconds + 300,
      aud: 'https://appleid.apple.com',
      sub: clientId,
    });
  });

  test('is not asked with a key of another curve, and the sign-in is refused', async () => {
    const { privateKey } = await generateKeyPair('ES384', { extractable: true });
    const before = fakes.asked.length;
    const answer = await signInWith(privateKey);
    expect(outcome(answer)).toEqual(refused(400));
    expect(fakes.asked.slice(before)).toEqual([]);
  });
});

test('control 53: an ID token that Apple has not signed is refused', async () => {
  const flow = await startFlow('apple');
  const forger = await generateKeyPair('RS256');
  play(providers.apple, flow.nonce, { signer: forger.privateKey });
  expect(outcome(await callCallback('apple', flow))).toEqual(refused(400));
});

test('control 53: a profile whose subject differs from the ID token is refused', async () => {
  for (const id of ['google', 'linkedin'] as const) {
    const flow = await startFlow(id);
    play(providers[id], null, { idToken: { sub: 'another subject' } });
    expect(outcome(await callCallback(id, flow))).toEqual(refused(400));
  }
});
