import { randomUUID } from 'node:crypto';
import { aSecret, aToken } from '@tessera/testing/outcome';
import { expect } from 'vitest';
import * as z from 'zod';
import { catcherTransport, createCatcher } from '../features/email/catcher/transport.ts';
import { insertMessage } from '../features/email/messages/store.ts';
import { encryptMessage } from '../features/email/messages/text.ts';
import { logAttempt } from '../features/email/queue/attempts.ts';
import { storeBulkEmailBody } from '../features/email/queue/bulk-email.ts';
import { ownServer } from '../features/email/scene.fixtures.ts';
import { type FlowRequest, newFlowSecrets, storeFlow, takeStoredFlow } from '../features/oauth/authorize/flow.ts';
import { decryptProviderToken, storeProviderTokens } from '../features/oauth/connected-accounts/provider-tokens.ts';
import { selectProviderToken } from '../features/oauth/connected-accounts/tokens-store.ts';
import { encryptOutcome, expiredOutcome } from '../features/oauth/provider-tests/outcome.ts';
import { insertProviderTest } from '../features/oauth/provider-tests/store.ts';
import { insertAuthorizationCode, selectAuthorizationCode } from '../features/oauth/store.ts';
import { decryptProviderSignIn, encryptProviderSignIn } from '../features/oauth/token/provider-sign-in.ts';
import { encryptClientSecret } from '../features/projects/index.ts';
import { openScene, type Person, type Scene } from '../features/sign-in/scene.fixtures.ts';
import { totpOf } from '../features/sign-in/totp.fixtures.ts';
import { portalTokenOf, svixClient } from '../features/webhooks/scene.fixtures.ts';
import { transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { TestServer } from '../test/harness.ts';

const githubAccount = 'account at github';
const flowRequest: FlowRequest = {
  redirectUri: 'http://localhost:3000/callback',
  scope: 'legacy',
  state: 'state of the app',
  codeChallenge: 'challenge',
  purpose: { type: 'authenticate', anonymousUserId: null, sessionId: null },
  extraScopes: [],
  errorRedirectUrl: null,
  afterCallbackRedirectUrl: null,
};

/** Creates every kind of encrypted value, through the feature that encrypts it. */
export async function createEncryptedValues(server: TestServer) {
  const { deps } = server;
  const scene = await openScene(server, {
    ...ownServer(server, { url: 'smtp://127.0.0.1:2525' }),
    oauthProviders: [
      {
        id: 'github',
        type: 'standard',
        clientId: 'client',
        sealedClientSecret: encryptClientSecret('client secret', deps.secrets),
      },
    ],
  });
  const { project } = scene;
  const email = scene.address();
  const ada = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password: 'correct horse' });
  await server.call('PATCH /users/{user_id}', {
    project,
    level: 'server',
    params: { user_id: ada.id },
    body: { totp_secret_base64: totpOf.secretBase64 },
  });
  await storeTokens(server, scene, ada);
  await storeCode(server, scene);
  const flow = newFlowSecrets();
  await storeFlow(project.id, 'github', { request: flowRequest, secrets: flow }, deps);
  await insertProviderTest(deps.db, project.id, {
    id: randomUUID(),
    providerId: 'github',
    testerId: null,
    outcome: encryptOutcome(expiredOutcome, deps.secrets),
    createdAtMillis: deps.clock.now(),
  });
  const login = z
    .object({ polling_code: z.string(), login_code: z.string() })
    .parse(
      (await server.call('POST /auth/cli', { project, headers: { 'idempotency-key': 'key-of-a-cli-login' } })).json,
    );
  const completion = { login_code: login.login_code, refresh_token: ada.refreshToken };
  await server.call('POST /auth/cli/complete', { project, body: completion });
  const portal = svixClient(server, await portalTokenOf(server, project));
  const endpoint = await portal.endpoint.create(project.id, { url: 'https://receiver.example/hook' });
  const gone = await portal.endpoint.create(project.id, { url: 'https://receiver.example/gone' });
  const { key } = await portal.endpoint.getSecret(project.id, endpoint.id);
  await portal.endpoint.delete(project.id, gone.id);
  const body = { email, callback_url: 'http://localhost:3000/reset' };
  await server.call('POST /auth/password/send-reset-code', { project, body });
  await transaction(deps.db, tx =>
    storeBulkEmailBody(
      tx,
      project.id,
      {
        subject: 'News',
        theme: 'default-light',
        written: { html: '<p>News</p>', text: 'News' },
        endsCategoryId: null,
      },
      deps,
    ),
  );
  await transaction(deps.db, tx =>
    insertMessage(tx, project.id, {
      id: randomUUID(),
      createdAtMillis: 0,
      encrypted: encryptMessage({ subject: 'News', content: {} }, deps.secrets),
      categoryId: randomUUID(),
      audience: { type: 'all' },
      actorType: 'admin_key',
      actorId: null,
      recipients: 1,
    }),
  );
  const message = {
    id: randomUUID(),
    projectId: project.id,
    from: { name: 'Acme', address: 'mail@acme.example' },
    to: email,
    subject: 'Your code is 123456',
    html: '<p>123456</p>',
    text: '123456',
  };
  await logAttempt(
    deps.db,
    { message, failure: null, type: 'shared', server: { host: 'h', port: 25, username: '' } },
    deps,
  );
  await catcherTransport(deps).send(message);
  return { scene, email, ada, flow, pollingCode: login.polling_code, endpointId: endpoint.id, key, message };
}

async function storeTokens(server: TestServer, { project }: Scene, ada: Person): Promise<void> {
  await transaction(server.deps.db, async tx => {
    await tx.query(sql`
      insert into oauth_accounts (project_id, provider_id, account_id, user_id, created_at_millis)
      values (${project.id}, 'github', ${githubAccount}, ${ada.id}, 0)
    `);
    const tokens = { accessToken: 'access token', refreshToken: 'refresh token', expiresAtMillis: 4_000_000_000_000 };
    const given = { providerId: 'github', accountId: githubAccount, tokens, scopes: ['repo'] };
    await storeProviderTokens(tx, project.id, given, server.deps);
  });
}

const codeHash = Buffer.from('hash of an authorization code');

async function storeCode({ deps }: TestServer, { project }: Scene): Promise<void> {
  const profile = { accountId: 'new account', displayName: null, imageUrl: null, email: null, isEmailVerified: false };
  const tokens = { accessToken: 'waiting token', refreshToken: undefined, expiresAtMillis: 4_000_000_000_000 };
  const signIn = { purpose: flowRequest.purpose, profile, tokens, scopes: ['repo'] };
  const code = {
    hash: codeHash,
    userId: undefined,
    providerId: 'github',
    redirectUri: flowRequest.redirectUri,
    codeChallenge: flowRequest.codeChallenge,
    isNewUser: true,
    afterCallbackRedirectUrl: null,
    providerSignIn: encryptProviderSignIn(signIn, deps.secrets),
    nowMillis: deps.clock.now(),
    expiresAtMillis: deps.clock.now() + 60_000,
  };
  await transaction(deps.db, tx => insertAuthorizationCode(tx, project.id, code));
}

export type EncryptedValues = Awaited<ReturnType<typeof createEncryptedValues>>;

/** Reads every encrypted value, through the feature that decrypts it. */
export async function readAll(server: TestServer, stored: EncryptedValues) {
  const { scene, email, ada, flow, pollingCode, endpointId, message } = stored;
  const { project } = scene;
  const signIn = await server.call('POST /auth/password/sign-in', {
    project,
    body: { email, password: 'correct horse' },
  });
  const { attempt_code: code } = z
    .object({ details: z.object({ attempt_code: z.string() }) })
    .parse(signIn.json).details;
  const factor = { code, type: 'totp', totp: totpOf.now(server.clock.now()) };
  const providerToken = async (kind: 'access' | 'refresh') => {
    const asked = { userId: ada.id, providerId: 'github', kind, scopes: ['repo'], aliveAtMillis: 0 };
    const row = await selectProviderToken(server.deps.db, project.id, asked);
    return row === undefined ? undefined : decryptProviderToken(kind, row.token, server.deps.secrets);
  };
  const authorizationCode = await selectAuthorizationCode(server.deps.db, project.id, codeHash);
  const sealedSignIn = authorizationCode?.providerSignIn ?? Buffer.alloc(0);
  const portal = svixClient(server, await portalTokenOf(server, project));
  const admin = { project, level: 'admin' } as const;
  const read = await server.call('GET /internal/projects/current', admin);
  const { config } = z
    .object({ config: z.object({ oauth_providers: z.array(z.unknown()), email_config: z.unknown() }) })
    .parse(read.json);
  const log = z
    .object({ items: z.array(z.object({ subject: z.string() })) })
    .parse((await server.call('GET /internal/emails', admin)).json);
  return {
    signedIn: (await server.call('POST /auth/mfa/sign-in', { project, body: factor })).json,
    accessToken: await providerToken('access'),
    refreshToken: await providerToken('refresh'),
    waitingToken: decryptProviderSignIn(sealedSignIn, server.deps.secrets).tokens?.accessToken,
    flow: (await takeStoredFlow(flow.state, server.deps))?.secrets,
    login: (await server.call('POST /auth/cli/poll', { project, body: { polling_code: pollingCode } })).json,
    webhookKey: (await portal.endpoint.getSecret(project.id, endpointId)).key,
    providers: config.oauth_providers,
    emailConfig: config.email_config,
    subjects: log.items.map(({ subject }) => subject),
    caught: (await createCatcher(server.deps).find(message.id))?.text,
  };
}

/** The result of `readAll` when no value is lost. */
export const expectedValues = (stored: EncryptedValues) => ({
  signedIn: { access_token: aToken, refresh_token: aSecret, user_id: stored.ada.id, is_new_user: false },
  accessToken: 'access token',
  refreshToken: 'refresh token',
  waitingToken: 'waiting token',
  flow: stored.flow,
  login: { status: 'success', refresh_token: stored.ada.refreshToken },
  webhookKey: stored.key,
  providers: [{ id: 'github', type: 'standard', client_id: 'client', client_secret: 'client secret' }],
  emailConfig: expect.objectContaining({ password: 'top-secret' }),
  subjects: ['Your code is 123456'],
  caught: '123456',
});
