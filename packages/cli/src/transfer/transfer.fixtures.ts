import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSecrets,
  encryptClientSecret,
  encryptKeys,
  encryptSmtpPassword,
  totpSecretPurpose,
} from '@tessera/server';
import type { TestDatabase } from '@tessera/testing/database';
import { expect } from 'vitest';
import { temporaryFolder } from '../test/folders.ts';
import { type Person, startServer, type TestServer } from '../test/server.ts';
import { openTerminal, type Terminal } from '../test/terminal.ts';
import { readHead } from './format.ts';
import { openVault } from './vault.ts';

export const passphrase = 'a passphrase that is long';
export const otherSecret = 'the secret of another installation, long enough';
export const withPassphrase = ['--passphrase-env', 'PASSPHRASE'];

export interface FullProject {
  readonly server: TestServer;
  readonly ada: Person;
  /** The terminal of the server, with the project as its default. */
  readonly here: Terminal;
  /** The folder of the exports. */
  readonly folder: string;
  /** An export of the project with its secrets. */
  readonly whole: string;
  exportToFile(terminal: Terminal, ...options: string[]): Promise<string>;
}

/** Starts a server whose project has rows in every exported table, and exports the project. */
export async function openFullProject(): Promise<FullProject> {
  const server = await startServer();
  const ada = await server.person(server.demo, 'ada');
  await fill(server, ada);
  const here = openTerminal({ ...environmentOf(server.database, server.secret), TESSERA_PROJECT_ID: server.demo });
  const folder = temporaryFolder();
  let files = 0;

  async function exportToFile(terminal: Terminal, ...options: string[]): Promise<string> {
    files += 1;
    const file = join(folder, `${files}.jsonl`);
    expect(await terminal.run('export', '--output', file, ...options)).toMatchObject({ code: 0 });
    return file;
  }

  return { server, ada, here, folder, whole: await exportToFile(here, ...withPassphrase), exportToFile };
}

/** The environment of a terminal beside a database. */
export function environmentOf(database: TestDatabase, secret: string): Record<string, string> {
  return { DATABASE_URL: database.url, TESSERA_SECRET: secret, PASSPHRASE: passphrase };
}

/** A name with separators of lines that JSON does not escape. */
const separated = 'Eve\u2028\u2029\u0085';
/** Metadata with newlines, a key order, and numbers that JSON.parse would change. */
export const metadata = '{"b": 1,\n "a": [10000000000000000001, "\\u2028"],\r\n "2": {}, "1": null}';

/** Inserts at least one row into every exported table. */
async function fill({ database, demo, secret }: TestServer, user: Person): Promise<void> {
  const secrets = createSecrets(secret);
  const [teamId, otherId] = [randomUUID(), randomUUID()];
  const config = {
    signUpEnabled: true,
    credentialEnabled: true,
    magicLinkEnabled: true,
    allowLocalhost: true,
    signUpRestrictions: { allowed: ['*.shop.example'], blocked: ['eve@de.shop.example'] },
    oauthProviders: [
      { id: 'github', type: 'standard', clientId: 'c1', sealedClientSecret: encryptClientSecret('hush', secrets) },
      { id: 'google', type: 'shared' },
    ],
    emailConfig: {
      ...{
        type: 'standard',
        host: 'mail.example.com',
        port: 587,
        username: 'u',
        senderName: '"sealed',
        senderEmail: 'a@b.c',
      },
      sealedPassword: encryptSmtpPassword('mail password', secrets),
    },
  };
  const statements: [string, ...unknown[]][] = [
    ['update projects set config = $2, description = $3 where id = $1', JSON.stringify(config), 'A shop'],
    [
      `insert into users (project_id, id, display_name, client_metadata, totp_secret, signed_up_at_millis)
       values ($1, $2, $3, $4, $5, 1000)`,
      otherId,
      separated,
      metadata,
      secrets.encrypt(totpSecretPurpose, 'totp secret'),
    ],
    [
      `insert into permission_definitions (project_id, id, scope, contained_permission_ids) values ($1, 'beta', 'project', '{}')`,
    ],
    [
      `update permission_definitions set contained_permission_ids = '{$read_members}' where project_id = $1 and id = 'team_admin'`,
    ],
    [`insert into images (project_id, hash, content, stored_at_millis) values ($1, '\\x01', '\\x02', 1000)`],
    [`insert into teams (project_id, id, display_name, created_at_millis) values ($1, $2, 'Crew', 1000)`, teamId],
    [
      'insert into team_memberships (project_id, team_id, user_id, created_at_millis) values ($1, $2, $3, 1000)',
      teamId,
      user.id,
    ],
    ['update users set selected_team_id = $2 where project_id = $1 and id = $3', teamId, user.id],
    [
      `insert into team_permissions (project_id, team_id, user_id, permission_id) values ($1, $2, $3, 'team_admin')`,
      teamId,
      user.id,
    ],
    [`insert into project_permissions (project_id, user_id, permission_id) values ($1, $2, 'beta')`, user.id],
    [
      `insert into oauth_accounts (project_id, provider_id, account_id, user_id, email, created_at_millis)
       values ($1, 'github', '42', $2, null, 1000)`,
      user.id,
    ],
    [
      `insert into oauth_tokens (project_id, id, provider_id, account_id, kind, token, scopes, created_at_millis)
       values ($1, $2, 'github', '42', 'refresh', $3, '{read,"a b"}', 1000)`,
      randomUUID(),
      secrets.encrypt('provider refresh token', 'provider token'),
    ],
    [
      `insert into passkeys (project_id, credential_id, user_id, public_key, counter, transports, device_type, is_backed_up, is_user_verified, created_at_millis)
       values ($1, 'cred', $2, $3, 7, '{internal}', 'multiDevice', true, true, 1000)`,
      user.id,
      randomBytes(77),
    ],
    [
      `insert into api_keys (project_id, id, user_id, description, secret_hash, last_four, is_public, created_at_millis, scopes)
       values ($1, $2, $3, '', $4, 'abcd', false, 1000, '{read,write}')`,
      randomUUID(),
      user.id,
      randomBytes(32),
    ],
    // Not due: the server deletes due accounts every five minutes.
    [
      `insert into account_deletions (project_id, user_id, requested_at_millis, deletes_at_millis)
       values ($1, $2, 1000, 9000000000000)`,
      user.id,
    ],
    [
      'insert into notification_preferences (project_id, user_id, category_id, is_enabled) values ($1, $2, $3, false)',
      user.id,
      randomUUID(),
    ],
    [`insert into email_templates (project_id, type, subject, content) values ($1, 'magic_link', 'Hi', '{"x": [1]}')`],
    [
      `insert into webhook_endpoints (project_id, id, url, description, is_disabled, metadata, version, secrets, created_at_millis, updated_at_millis)
       values ($1, $2, 'https://hooks.example.com', '', false, '{}', 1, $3, 1000, 1000)`,
      randomUUID(),
      encryptKeys(secrets, [{ key: 'whsec_c2VjcmV0', endsAtMillis: null }]),
    ],
    [
      `insert into events (project_id, kind, user_id, data, at_millis) values ($1, 'activity', $2, '{"countryCode": "DE"}', 2000)`,
      user.id,
    ],
    [
      `insert into audit_events (project_id, at_millis, id, action, actor_type) values ($1, 3000, $2, 'project.config_changed', 'system')`,
      randomUUID(),
    ],
  ];
  for (const [text, ...values] of statements) await database.query(text, [demo, ...values]);
}

/** A file with decrypted secrets, for comparison. */
export async function decryptFile(file: string): Promise<unknown[]> {
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { vault, ...head } = readHead(first);
  const key = vault === null ? undefined : await openVault(passphrase, vault);
  let table = '';
  const shown = lines.map(text => {
    const line = JSON.parse(text);
    table = line.table ?? table;
    if (line.secrets === undefined) return text;
    const clear = Object.entries<string>(line.secrets).map(([name, encrypted]) => [
      name,
      key?.decrypt(`${table}.${name}`, encrypted).toString(),
    ]);
    return JSON.stringify({ row: line.row, secrets: Object.fromEntries(clear) });
  });
  return [head, ...shown];
}
