import { randomUUID } from 'node:crypto';
import { refreshTokenOverlapMs } from '@tessera/protocol';
import { asAdministrator } from '@tessera/testing/database';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openScene, plainPasswords, type Scene } from '../features/sign-in/scene.fixtures.ts';
import { portalTokenOf, svixClient } from '../features/webhooks/scene.fixtures.ts';
import { createSecrets, type Secrets } from '../platform/crypto/secrets.ts';
import { sql } from '../platform/database/sql.ts';
import { observeStatements } from '../platform/observability/telemetry/statement-spans.ts';
import { openTestServer, type TestServer } from '../test/harness.ts';
import { encryptedColumns } from './encrypted-columns.ts';
import { createEncryptedValues, expectedValues, readAll } from './rotate-secret.fixtures.ts';
import { reencryptAll, rotateSecret, type SecretRotationOutcome } from './rotate-secret.ts';

const previousSecret = 'the previous secret of an installation that changes it';
const secret = 'the next secret of an installation that changes its own';

let before: TestServer;
const servers: TestServer[] = [];
beforeEach(async () => {
  before = await openTestServer({ secrets: { secret: previousSecret }, passwords: plainPasswords() });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await before.close();
});

async function startWith(secrets: { secret: string; acceptedSecret?: string }): Promise<TestServer> {
  const server = await openTestServer({ beside: before, secrets, passwords: plainPasswords() });
  servers.push(server);
  return server;
}

const rotate = (more: Partial<Parameters<typeof rotateSecret>[0]> = {}): Promise<SecretRotationOutcome> =>
  rotateSecret({ connection: before.connection, secret, previousSecret, ...more });

/** The number of values of each column that are encrypted under a secret, and the number of all others. */
async function countValues(secrets: Secrets): Promise<Record<string, { under: number; other: number }>> {
  const counts: Record<string, { under: number; other: number }> = {};
  for (const { name, table, column } of encryptedColumns) {
    const [row] = await before.deps.db.query<{ under: number; other: number }>(sql`
      select
        count(*) filter (where substring(${column} from 1 for 5) = ${secrets.currentHeader}) as under,
        count(*) filter (where substring(${column} from 1 for 5) <> ${secrets.currentHeader}) as other
      from ${table} where octet_length(${column}) > 0
    `);
    counts[name] = row ?? { under: 0, other: 0 };
  }
  return counts;
}

describe('control 99: a change of the installation secret', () => {
  test('re-encrypts every value, and the new secret alone decrypts them', async () => {
    const stored = await createEncryptedValues(before);
    const values = await countValues(createSecrets(previousSecret));
    for (const [name, { under, other }] of Object.entries(values)) {
      expect({ name, other, some: under > 0 }).toEqual({ name, other: 0, some: true });
    }

    const expected = Object.fromEntries(Object.entries(values).map(([name, { under }]) => [name, under]));
    expect(await rotate()).toEqual({
      reencrypted: { 'projects.config': 2, ...expected },
      unreadable: {},
      isComplete: true,
    });
    const after = await countValues(createSecrets(secret));
    expect(after).toEqual(values);

    const alone = await startWith({ secret });
    expect(await readAll(alone, stored)).toEqual(expectedValues(stored));
    // The queued email was decrypted; the project's mail server does not exist.
    await alone.mailbox();
    const log = await alone.call('GET /internal/emails', { project: stored.scene.project, level: 'admin' });
    expect(log.text).toContain('Reset your password at A project');
  });

  test('while servers accept both secrets keeps every session valid', async () => {
    const stored = await createEncryptedValues(before);
    const { project } = stored.scene;
    const first = await startWith({ secret: previousSecret, acceptedSecret: secret });
    const both = await startWith({ secret, acceptedSecret: previousSecret });
    const tokenOf = async (server: TestServer) => {
      const { refreshToken } = stored.ada;
      const answer = await server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
      return z.object({ access_token: z.string() }).parse(answer.json).access_token;
    };
    const me = (server: TestServer, accessToken: string) =>
      server.call('GET /users/me', { project, accessToken, level: 'client' });
    for (const [issuer, reader] of [
      [first, both],
      [both, first],
      [before, both],
    ] as const) {
      expect((await me(reader, await tokenOf(issuer))).status).toBe(200);
    }
    const portalToken = await portalTokenOf(first, project);
    expect(await readAll(both, stored)).toEqual(expectedValues(stored));
    await rotate();
    const secretOfEndpoint = await svixClient(both, portalToken).endpoint.getSecret(project.id, stored.endpointId);
    expect(secretOfEndpoint.key).toBe(stored.key);
    const late = await createEncryptedValues(first);
    expect(await readAll(both, late)).toEqual(expectedValues(late));
  });

  test('control 31: publishes the keys of the other secret before they sign and after they have signed', async () => {
    const kidsOf = async (server: TestServer) => {
      const answer = await server.call('GET /projects/{project_id}/.well-known/jwks.json', {
        params: { project_id: 'internal' },
      });
      return z
        .object({ keys: z.array(z.object({ kid: z.string() })) })
        .parse(answer.json)
        .keys.map(({ kid }) => kid);
    };
    const old = await kidsOf(before);
    const first = await kidsOf(await startWith({ secret: previousSecret, acceptedSecret: secret }));
    const both = await kidsOf(await startWith({ secret, acceptedSecret: previousSecret }));
    expect(first.slice(0, old.length)).toEqual(old);
    expect(new Set(first)).toEqual(new Set(both));
    expect(first).toHaveLength(2 * old.length);
    await rotate();
    expect(await kidsOf(await startWith({ secret }))).toEqual(both.slice(0, old.length));
  });

  describe('control 25: a refresh token that was exchanged before at a process with the other secret', () => {
    let scene: Scene;
    let both: TestServer;
    beforeEach(async () => {
      scene = await openScene(before, { rotatesRefreshTokens: true });
      both = await startWith({ secret, acceptedSecret: previousSecret });
    });

    async function refresh(at: TestServer, refreshToken: string): Promise<string> {
      const options = { project: scene.project, refreshToken };
      const { json } = await at.call('POST /auth/sessions/current/refresh', options);
      return z.object({ refresh_token: z.string() }).parse(json).refresh_token;
    }

    test('is repeatable', async () => {
      const { refreshToken } = await scene.person();
      const successor = await refresh(before, refreshToken);
      expect(await refresh(both, refreshToken)).toBe(successor);
    });

    test('is repeatable after the exchange of its successor', async () => {
      const { refreshToken } = await scene.person();
      const successor = await refresh(before, refreshToken);
      await refresh(both, successor);
      expect(await refresh(both, refreshToken)).toBe(successor);
    });

    test('is repeatable after two lost responses', async () => {
      const { refreshToken } = await scene.person();
      await refresh(before, refreshToken);
      before.clock.advance(refreshTokenOverlapMs + 1);
      const inItsPlace = await refresh(both, refreshToken);
      expect(await refresh(both, refreshToken)).toBe(inItsPlace);
    });
  });

  test('that was interrupted is completed by the next run', async () => {
    await createEncryptedValues(before);
    const stop = new AbortController();
    const onProgress = (what: string) => what === 'oauth_tokens.token' && stop.abort();
    const interrupted = await rotate({ signal: stop.signal, onProgress });
    expect(interrupted.isComplete).toBe(false);
    await expect(startWith({ secret })).rejects.toThrow('is not the one that the database was encrypted under');
    expect(await rotate()).toMatchObject({ isComplete: true });
    expect(await rotate()).toEqual({ reencrypted: {}, unreadable: {}, isComplete: true });
    await startWith({ secret });
  });

  test('processes tables of many pages to the end', async () => {
    const { project } = await openScene(before);
    const { db, secrets } = before.deps;
    const subject = secrets.encrypt('mail subject', 'x'.repeat(300));
    await db.query(sql`
      insert into sent_mails (project_id, id, recipients, subject, sender_config, sent_at_millis)
      select ${project.id}, gen_random_uuid(), '{}', ${subject}, '{}', 0 from generate_series(1, 2000)
    `);
    expect((await rotate()).reencrypted).toEqual({ 'sent_mails.subject': 2000 });
    expect((await countValues(createSecrets(secret)))['sent_mails.subject']).toEqual({ under: 2000, other: 0 });
  });

  test('finds a value whose row an update moves from ahead of the reading position to behind it', async () => {
    const { project } = await openScene(before);
    const { db, secrets } = before.deps;
    const current = createSecrets(secret, previousSecret);
    const subjects = [current, secrets].map(of => of.encrypt('mail subject', 'x'.repeat(300)));
    await db.query(sql`
      insert into sent_mails (project_id, id, recipients, subject, sender_config, sent_at_millis)
      select ${project.id}, gen_random_uuid(), '{}', case n when 400 then ${subjects[1]}::bytea else ${subjects[0]} end,
        '{}', n from generate_series(1, 500) n
    `);
    const moved = sql`project_id = ${project.id} and sent_at_millis = 400`;
    await db.query(sql`delete from sent_mails where project_id = ${project.id} and ctid < '(16,0)'::tid`);
    await asAdministrator(before.connection, client => client.query('vacuum sent_mails'));
    const pageOf = sql`(ctid::text::point)[0]::integer as page`;
    const whileRowMoves = observeStatements(db, async (statement, run) => {
      if (statement.text.includes('sent_mails') && statement.values.includes('(32,0)')) {
        const [ahead] = await db.query<{ page: number }>(sql`select ${pageOf} from sent_mails where ${moved}`);
        // The longer row does not fit its full page.
        await db.query(sql`update sent_mails set recipients = ${['x'.repeat(400)]} where ${moved}`);
        const [behind] = await db.query<{ page: number }>(sql`select ${pageOf} from sent_mails where ${moved}`);
        expect({ ahead, behind }).toEqual({ ahead: { page: expect.any(Number) }, behind: { page: 0 } });
      }
      return run();
    });

    expect((await reencryptAll(whileRowMoves, current)).isComplete).toBe(true);
    expect((await countValues(current))['sent_mails.subject']).toMatchObject({ other: 0 });
  });

  test('leaves and reports values that neither secret decrypts', async () => {
    const { project } = await openScene(before);
    const damaged = createSecrets('a third secret that is not accepted').encrypt('totp secret', 'x');
    const id = randomUUID();
    await before.deps.db.query(sql`
      insert into users (project_id, id, totp_secret, signed_up_at_millis) values (${project.id}, ${id}, ${damaged}, 0)
    `);
    expect(await rotate()).toEqual({ reencrypted: {}, unreadable: { 'users.totp_secret': 1 }, isComplete: true });
    const rows = await before.deps.db.query(sql`select totp_secret from users where id = ${id}`);
    expect(rows).toEqual([{ totp_secret: damaged }]);
  });

  test('with a wrong previous secret changes nothing', async () => {
    await createEncryptedValues(before);
    const values = await countValues(createSecrets(previousSecret));
    await expect(rotate({ previousSecret: 'a third secret that is not accepted' })).rejects.toThrow(
      'is not the one that the database was encrypted under',
    );
    expect(await countValues(createSecrets(previousSecret))).toEqual(values);
  });
});

/** Byte columns without encryption: hashes of values with enough entropy, public keys, and public images. */
const openColumns = [
  'api_key_sets.publishable_client_key_hash',
  'api_key_sets.secret_server_key_hash',
  'api_key_sets.super_secret_admin_key_hash',
  'api_keys.secret_hash',
  'cli_logins.login_code_hash',
  'cli_logins.polling_code_hash',
  'idempotency_keys.request_hash',
  'idempotency_keys.scope_hash',
  'oauth_authorization_codes.code_hash',
  'oauth_flows.state_hash',
  'one_time_codes.code_hash',
  'images.content',
  'images.hash',
  'one_time_codes.nonce_hash',
  'passkeys.public_key',
  'rotated_refresh_tokens.token_hash',
  'sessions.refresh_token_hash',
  'sign_in_devices.device',
  'users.recovery_code_hashes',
];

test('control 99: every byte column is listed, either as encrypted or as unencrypted', async () => {
  const rows = await before.deps.db.query<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and udt_name in ('bytea', '_bytea') order by name
  `);
  const known = [...openColumns, ...encryptedColumns.map(({ name }) => name), 'installation.secret_check'];
  expect(rows.map(({ name }) => name)).toEqual(known.sort());
});
