import type { Route } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
});

type Group =
  | 'account-deletion'
  | 'anonymous-users'
  | 'passkey-policy'
  | 'email-verification'
  | 'password-policy'
  | 'session-policy'
  | 'branding'
  | 'invitations'
  | 'sign-in-notices'
  | 'sign-up-restrictions'
  | 'limits'
  | 'audit-log-settings';

const read = (group: Group) => server.call(`GET /internal/extensions/${group}` as Route, { project, level: 'admin' });
const write = (group: Group, body: unknown) =>
  server.call(`PATCH /internal/extensions/${group}` as Route, { project, level: 'admin', body });

const minute = 60_000;
const day = 24 * 60 * minute;

interface Case {
  readonly initially: object;
  readonly changes: object;
  readonly refused: readonly object[];
}

const cases: Record<Group, Case> = {
  'account-deletion': {
    initially: { cooling_off_days: 0 },
    changes: { cooling_off_days: 30 },
    refused: [
      {},
      { cooling_off_days: null },
      { cooling_off_days: 31 },
      { cooling_off_days: -1 },
      { cooling_off_days: 0.5 },
    ],
  },
  'anonymous-users': {
    initially: { enabled: false },
    changes: { enabled: true },
    refused: [{ enabled: null }, { on: true }],
  },
  'passkey-policy': {
    initially: { counts_as_both_factors: false },
    changes: { counts_as_both_factors: true },
    refused: [{}, { counts_as_both_factors: null }, { counts_as_both_factors: true, more: 1 }],
  },
  'email-verification': {
    initially: { asks_for_code: false },
    changes: { asks_for_code: true },
    refused: [{}, { asks_for_code: null }, { asks_for_code: true, more: 1 }],
  },
  'password-policy': {
    initially: { refuses_weak_passwords: null },
    changes: { refuses_weak_passwords: true },
    refused: [{ refuses_weak_passwords: 'yes' }, { more: 1 }],
  },
  'session-policy': {
    initially: {
      lifetime_millis: null,
      idle_lifetime_millis: null,
      fresh_sign_in_within_millis: null,
      rotates_refresh_tokens: false,
    },
    changes: {
      lifetime_millis: 30 * day,
      idle_lifetime_millis: 5 * minute,
      fresh_sign_in_within_millis: minute,
      rotates_refresh_tokens: true,
    },
    refused: [
      { lifetime_millis: 5 * minute - 1 },
      { lifetime_millis: 367 * day + 1 },
      { idle_lifetime_millis: 0 },
      { idle_lifetime_millis: 5.5 * minute + 0.5 },
      { fresh_sign_in_within_millis: minute - 1 },
      { fresh_sign_in_within_millis: 30 * day + 1 },
      { rotates_refresh_tokens: null },
      { lifetime: 1 },
    ],
  },
  invitations: {
    initially: { bound_to_address: false },
    changes: { bound_to_address: true },
    refused: [{}, { bound_to_address: null }, { bound_to_address: true, more: 1 }],
  },
  branding: {
    initially: { logo_url: null, color: null, postal_address: null },
    changes: { logo_url: 'https://cdn.example/logo.png', color: '#4338ca', postal_address: 'Acme GmbH, Berlin' },
    refused: [
      { logo_url: 'javascript:alert(1)' },
      { logo_url: 'https://cdn.example/a\nb.png' },
      { logo_url: 'logo.png' },
      { logo_url: `https://cdn.example/${'x'.repeat(2_048)}` },
      { color: 'red' },
      { color: '#fff' },
      { postal_address: 'x'.repeat(301) },
      { logo: null },
    ],
  },
  'sign-in-notices': {
    initially: { enabled: false },
    changes: { enabled: true },
    refused: [{}, { enabled: null }, { enabled: true, more: 1 }],
  },
  'sign-up-restrictions': {
    initially: { allowed: [], blocked: [] },
    changes: { allowed: ['shop.example', '*.shop.example', 'ada@rival.example'], blocked: ['rival.example'] },
    refused: [
      { allowed: null },
      { allowed: 'shop.example' },
      { allowed: ['shop'] },
      { blocked: ['https://rival.example'] },
      { blocked: ['\u212Aate@rival.example'] },
      { allowed: Array.from({ length: 1_001 }, (_, index) => `shop${index}.example`) },
      { denied: [] },
    ],
  },
  limits: {
    initially: {
      failed_sign_ins_per_account: null,
      failed_sign_ins_per_address: null,
      mails_per_recipient: null,
      mails_per_address: null,
      mails_per_project: null,
      sign_ups_per_address: null,
    },
    changes: {
      failed_sign_ins_per_account: 1,
      failed_sign_ins_per_address: 2,
      mails_per_recipient: 3,
      mails_per_address: 4,
      mails_per_project: 1_000_000,
      sign_ups_per_address: 6,
    },
    refused: [
      { mails_per_project: 0 },
      { mails_per_project: 1_000_001 },
      { sign_ups_per_address: 1.5 },
      { sign_ups: 3 },
    ],
  },
  'audit-log-settings': {
    initially: { retention_days: null },
    changes: { retention_days: 365 },
    refused: [{ retention_days: 0 }, { retention_days: 3_651 }, { retention_days: '1 year' }, { days: 1 }],
  },
};

describe.each(Object.entries(cases) as [Group, Case][])('%s', (group, { initially, changes, refused }) => {
  test('the settings are read, changed, and read with the new values', async () => {
    expect(outcome(await read(group))).toEqual({ status: 200, body: initially });
    expect(outcome(await write(group, changes))).toEqual({ status: 200, body: changes });
    expect(outcome(await read(group))).toEqual({ status: 200, body: changes });
  });

  test('the settings can be changed back', async () => {
    await write(group, changes);
    expect(outcome(await write(group, initially))).toEqual({ status: 200, body: initially });
    const [row] = await server.deps.db.query<{ config: object }>(
      sql`select config from projects where id = ${project.id}`,
    );
    expect(Object.values(row?.config ?? {})).not.toContain(null);
  });

  test('a setting is changed without the others', async () => {
    let expected = initially;
    for (const change of Object.entries(changes).map(([name, value]) => ({ [name]: value }))) {
      expected = { ...expected, ...change };
      expect(outcome(await write(group, change))).toEqual({ status: 200, body: expected });
    }
  });

  test('an invalid body is refused', async () => {
    for (const body of [...refused, null, 'text']) {
      expect(outcome(await write(group, body))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    }
    expect(outcome(await read(group))).toEqual({ status: 200, body: initially });
  });

  test('a change leaves the project response of the contract unchanged', async () => {
    const view = () => server.call('GET /internal/projects/current', { project, level: 'admin' });
    const before = (await view()).json;
    await write(group, changes);
    expect((await view()).json).toEqual(before);
  });

  test('control 97: a change is recorded in the audit log, a repeated write without a change is not', async () => {
    await write(group, changes);
    await write(group, changes);
    const events = await server.deps.db.query(sql`
      select action from audit_events where project_id = ${project.id} and action = 'project.config_changed'
    `);
    expect(events).toHaveLength(1);
  });
});

test('control 101: concurrent changes of different limits are both kept', async () => {
  const names = Object.keys(cases.limits.changes);
  await Promise.all(names.map(name => write('limits', { [name]: 7 })));
  expect((await read('limits')).json).toEqual(Object.fromEntries(names.map(name => [name, 7])));
});
