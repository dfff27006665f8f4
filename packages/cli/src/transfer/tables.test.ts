import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportedTables } from './tables.ts';

/** Tables that are not exported, with the reason. */
const transientTables: Readonly<Record<string, string>> = {
  project_members: 'members are accounts of the old installation',
  sessions: 'users sign in again: a copy of a project must not share sessions with the original',
  rotated_refresh_tokens: 'belongs to sessions',
  ended_sessions: 'belongs to sessions',
  one_time_codes: 'sent links and codes lead to the old installation',
  cli_logins: 'valid for minutes',
  idempotency_keys: 'kept for a day, encrypted with the key of the installation',
  oauth_flows: 'valid for minutes',
  oauth_provider_tests: 'valid for minutes',
  sign_in_devices: 'learned again from the next sign-ins',
  sign_in_sources: 'learned again from the next sign-ins',
  oauth_authorization_codes: 'valid for a minute',
  mails: 'the old installation sends its queue',
  mail_bodies: 'belongs to mails',
  message_counts: 'belongs to messages',
  messages: 'kept as long as the log of sent emails; the old installation sends what is not sent yet',
  sent_mails: 'a log with limited retention, encrypted with the key of the installation',
  caught_mails: 'development only',
  webhook_events: 'the old installation delivers its events',
  webhook_deliveries: 'belongs to webhook_events',
  webhook_attempts: 'belongs to webhook_events',
  metric_counts: 'counted again from users and events',
  metric_changes: 'counted again from users and events',
  metric_users: 'counted again from users and events',
  metric_active_days: 'counted again from users and events',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('every table with a project_id is either exported or listed as left out', async () => {
  const rows = await database.query(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id' order by 1`,
  );
  const known = [...exportedTables.map(({ name }) => name), ...Object.keys(transientTables)];
  expect(known.toSorted()).toEqual(rows.map(({ name }) => name));
});

test('every bytea column of an exported table is either encrypted or listed as public', async () => {
  const rows = await database.query(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and table_name = any($1)
     order by table_name, column_name`,
    [exportedTables.map(({ name }) => name)],
  );
  const declared = exportedTables.flatMap(({ name, encrypted, openBytes = [] }) =>
    [...openBytes, ...(encrypted === undefined ? [] : [encrypted.name])].map(column => `${name}.${column}`),
  );
  expect(declared.toSorted()).toEqual(rows.map(({ table, column }) => `${table}.${column}`));
});

test('every omitted column of an exported table exists and is optional', async () => {
  for (const { name, omit = [], order } of exportedTables) {
    const rows = await database.query(
      `select column_name as "column", is_nullable = 'YES' or column_default is not null or is_identity = 'YES' as "isOptional"
       from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [name],
    );
    const optional = rows.filter(({ isOptional }) => isOptional).map(({ column }) => column);
    expect(optional).toEqual(expect.arrayContaining([...omit]));
    expect(rows.map(({ column }) => column)).toEqual(expect.arrayContaining([...order]));
  }
});
