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
  for await (const line of companyExport({ name: 'Shop', users: 3_000, nowMillis: Date.UTC(2026, 10, 30, 23) })) {
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

const dayMs = 86_400_000;
const dayOf = ({ at_millis: atMillis }: Seeded) => Math.floor(atMillis / dayMs);
const signInsOf = () => rowsOf('audit_events').filter(({ action }) => action === 'sign_in.succeeded');

test('each sign-in and each sign-up of the seeded audit log is on a day with activity of the user', () => {
  const active = new Set(rowsOf('events').map(event => `${event.user_id} ${dayOf(event)}`));
  const alone = signInsOf().filter(event => !active.has(`${event.user_id} ${dayOf(event)}`));
  expect(alone).toEqual([]);
});

test('seeded activity has no peak on its first days', () => {
  const perDay = new Map<number, number>();
  for (const event of rowsOf('events')) perDay.set(dayOf(event), (perDay.get(dayOf(event)) ?? 0) + 1);
  const counts = [...perDay].toSorted(([a], [b]) => a - b).map(([, count]) => count);
  const usual = Math.max(...counts.slice(20, 40));
  expect(Math.max(...counts.slice(0, 5))).toBeLessThan(usual * 1.5);
});

test('no seeded anonymous user signs in again, and attackers guess only at passwords of existing users', () => {
  const users = new Map(rowsOf('users').map(user => [user.id, user]));
  const again = signInsOf().filter(({ user_id: id, details }) => {
    return users.get(id)?.is_anonymous === true && !Object(details).is_new_user;
  });
  expect(again).toEqual([]);
  const failed = rowsOf('audit_events').filter(({ action }) => action === 'sign_in.failed');
  expect(failed.some(({ user_agent: userAgent }) => String(userAgent).startsWith('python'))).toBe(true);
  const misplaced = failed.filter(({ user_id: id, at_millis: atMillis }) => {
    const user = users.get(id);
    return user?.password_hash == null || atMillis < Number(user.signed_up_at_millis);
  });
  expect(misplaced).toEqual([]);
});

test('no seeded user joins a team before it exists, and each seeded team has an admin', () => {
  const createdAt = new Map(rowsOf('teams').map(team => [team.id, team.created_at_millis]));
  const early = rowsOf('team_memberships').filter(
    ({ team_id: id, created_at_millis: joinedAt }) => joinedAt < Number(createdAt.get(id)),
  );
  expect(early).toEqual([]);
  const admins = rowsOf('team_permissions').filter(({ permission_id: permission }) => permission === 'team_admin');
  expect(new Set(admins.map(({ team_id: id }) => id)).size).toBe(rowsOf('teams').length);
});

test('a seeded API key is used only between its creation and its end', () => {
  const keys = rowsOf('api_keys').filter(key => key.last_used_at_millis !== null);
  expect(keys.length).toBeGreaterThan(50);
  const misused = keys.filter(key => {
    const ends = [key.expires_at_millis, key.manually_revoked_at_millis].filter(end => end !== null);
    const lastUsedAt = Number(key.last_used_at_millis);
    return lastUsedAt < key.created_at_millis || ends.some(end => lastUsedAt > Number(end));
  });
  expect(misused).toEqual([]);
});
