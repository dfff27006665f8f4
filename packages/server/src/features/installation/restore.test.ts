import { chown, cp, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterFolder, startEmbeddedPostgres } from '@tessera/embedded-postgres';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { openDeps } from '../../deps.ts';
import { readSettings, SettingsError } from '../../env.ts';
import { installationSecret, readKeyFile } from '../../platform/crypto/key-file.ts';
import { randomSecret } from '../../platform/crypto/random.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLog } from '../../platform/observability/log.ts';
import type { RunningServer } from '../../running-server.ts';
import { run } from '../../server.ts';
import { decryptProviderToken } from '../oauth/connected-accounts/provider-tokens.ts';
import { totpOf } from '../sign-in/totp.fixtures.ts';

// The test creates two clusters, each of which takes a second on an idle machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let temporary: string;
const running: RunningServer[] = [];
beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), 'tessera-restore-')));
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  const folders = [temporary, ...['original', 'restored'].map(name => clusterFolder(folder(name)))];
  for (const one of folders) await rm(one, { recursive: true, force: true });
});

const folder = (name: string) => join(temporary, name);

const settingsOf = (dataDir: string, more: Record<string, string> = {}) =>
  readSettings({
    PORT: '0',
    TESSERA_MODE: 'development',
    TESSERA_PUBLIC_URL: 'http://localhost:4280',
    TESSERA_DATA_DIR: dataDir,
    ...more,
  });

async function start(dataDir: string, more: Record<string, string> = {}): Promise<string> {
  const server = await run(settingsOf(dataDir, more), createLog({ level: 'silent' }));
  running.push(server);
  return `http://127.0.0.1:${server.port}/api/v1`;
}

async function stop(): Promise<void> {
  await running.pop()?.stop();
}

/** Calls with the secret server key of the demo project. */
async function post(url: string, dataDir: string, { path, body }: { path: string; body: object }): Promise<unknown> {
  const file = await readKeyFile(dataDir);
  const id = file?.demo ?? '';
  const headers = {
    'content-type': 'application/json',
    'x-stack-access-type': 'server',
    'x-stack-project-id': id,
    'x-stack-secret-server-key': file?.projects[id]?.secretServerKey ?? '',
  };
  return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

const password = 'correct horse battery staple';
const email = 'ada@example.com';

/** Creates a user with a password, a second factor, and a provider token. */
async function makePerson(dataDir: string): Promise<void> {
  const url = await start(dataDir);
  const person = { primary_email: email, primary_email_auth_enabled: true, primary_email_verified: true, password };
  const body = { ...person, totp_secret_base64: totpOf.secretBase64 };
  const { id } = z.object({ id: z.string() }).parse(await post(url, dataDir, { path: '/users', body }));
  await stop();
  await onDatabase(dataDir, async deps => {
    const encrypted = deps.secrets.encrypt('provider access token', 'a token of github');
    await deps.db.query(sql`
      with account as (
        insert into oauth_accounts (project_id, provider_id, account_id, user_id, created_at_millis)
        select project_id, 'github', '1', id, 0 from users where id = ${id} returning project_id
      )
      insert into oauth_tokens (project_id, id, provider_id, account_id, kind, token, scopes, created_at_millis)
      select project_id, gen_random_uuid(), 'github', '1', 'access', ${encrypted}, '{}', 0 from account
    `);
  });
}

async function onDatabase<T>(
  dataDir: string,
  work: (deps: Awaited<ReturnType<typeof openDeps>>) => Promise<T>,
): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  const secret = await installationSecret(dataDir, randomSecret);
  const deps = await openDeps({
    settings: settingsOf(dataDir),
    secret,
    connection: postgres.connection,
    log: createLog({ level: 'silent' }),
  });
  try {
    return await work(deps);
  } finally {
    await deps.close();
    await postgres.stop();
  }
}

/** Copies the backup over the database of a new installation. */
async function restore(from: string, to: string): Promise<void> {
  await (await startEmbeddedPostgres({ dataDir: to })).stop();
  const [source, target] = [join(clusterFolder(from), 'data'), join(clusterFolder(to), 'data')];
  await rm(target, { recursive: true });
  await cp(source, target, { recursive: true, preserveTimestamps: true });
  await ownedLike(source, target);
}

/** Copies as root, and gives the files to the account of the cluster. */
async function ownedLike(model: string, copied: string): Promise<void> {
  const { uid, gid } = await stat(model);
  const names = await readdir(copied, { recursive: true });
  for (const path of [copied, ...names.map(name => join(copied, name))]) await chown(path, uid, gid);
}

test('control 99: a restored database with its secret accepts passwords and second factors, and decrypts provider tokens', async () => {
  await makePerson(folder('original'));
  await restore(folder('original'), folder('restored'));
  await cp(join(folder('original'), 'secret'), join(folder('restored'), 'secret'));
  await cp(join(folder('original'), 'keys.json'), join(folder('restored'), 'keys.json'));

  const url = await start(folder('restored'));
  const credential = { path: '/auth/password/sign-in', body: { email, password } };
  const { details } = z
    .object({
      code: z.literal('MULTI_FACTOR_AUTHENTICATION_REQUIRED'),
      details: z.object({ attempt_code: z.string() }),
    })
    .parse(await post(url, folder('restored'), credential));
  const factor = { type: 'totp', totp: totpOf.now(Date.now()), code: details.attempt_code };
  expect(await post(url, folder('restored'), { path: '/auth/mfa/sign-in', body: factor })).toMatchObject({
    access_token: expect.any(String),
    is_new_user: false,
  });
  await stop();
  const token = await onDatabase(folder('restored'), async ({ db, secrets }) => {
    const [row] = await db.query<{ token: Buffer }>(sql`select token from oauth_tokens`);
    return decryptProviderToken('access', row?.token ?? Buffer.of(), secrets);
  });
  expect(token).toBe('a token of github');

  // The same database with a different secret.
  const other = { TESSERA_SECRET: 'another secret than that of the database' };
  const failure = await start(folder('restored'), other).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SettingsError);
  expect(String(failure)).toContain('is not the one that the database was encrypted under');
  expect(String(failure)).toContain('TESSERA_SECRET');
});
