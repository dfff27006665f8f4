import { beforeAll, expect, test } from 'vitest';
import { companyExport } from './export.ts';

interface Seeded {
  readonly [column: string]: unknown;
  readonly user_id: string;
  readonly at_millis: number;
  readonly created_at_millis: number;
}

/** The generated rows by table. */
const rows = new Map<string, Seeded[]>();
beforeAll(async () => {
  let current = '';
  for await (const line of companyExport({ name: 'Shop', users: 3_000, nowMillis: Date.UTC(2026, 10, 30, 12) })) {
    const { table, row } = JSON.parse(line);
    current = table ?? current;
    if (table !== undefined) rows.set(table, []);
    if (row !== undefined) rows.get(current)?.push(row);
  }
});

const rowsOf = (table: string): Seeded[] => rows.get(table) ?? [];

test('no address, IP address or provider account of a seeded user belongs to a real person', () => {
  const addresses = rowsOf('contact_channels').map(({ value }) => value);
  expect(addresses.filter(address => !String(address).endsWith('.example'))).toEqual([]);
  const accounts = rowsOf('oauth_accounts').map(({ account_id: id }) => id);
  expect(accounts.filter(id => /^\d+$/.test(String(id)))).toEqual([]);
  const ipAddresses = rowsOf('audit_events').map(({ address }) => address);
  expect(ipAddresses.filter(address => !/^198\.(?:18|51\.100)\./.test(String(address)))).toEqual([]);
});
