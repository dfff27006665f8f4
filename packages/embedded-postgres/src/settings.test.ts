import { expect, test } from 'vitest';
import { accessRules, serverSettings } from './settings.ts';

test('a server on a socket listens on no address, and only the role tessera may connect', () => {
  const listener = { socketDir: '/data/run', port: 5432 };
  expect(serverSettings(listener)).toContain(
    "listen_addresses = ''\nport = '5432'\nunix_socket_directories = '\"/data/run\"'\nunix_socket_permissions = '0700'\n",
  );
  expect(accessRules(listener)).toBe('local all tessera trust\n');
});

test('a server on the loopback interface has no socket and requires a password', () => {
  const listener = { loopbackPort: 50123, password: 'secret' };
  expect(serverSettings(listener)).toContain(
    "listen_addresses = '127.0.0.1'\nport = '50123'\nunix_socket_directories = ''\n",
  );
  expect(accessRules(listener)).toBe('host all tessera 127.0.0.1/32 scram-sha-256\n');
});

test('a setting of the caller replaces a fixed one, but not the address', () => {
  const text = serverSettings(
    { socketDir: '/data/run', port: 5432 },
    { fsync: 'off', port: '1', listen_addresses: '*' },
  );
  expect(text).toContain("\nfsync = 'off'\n");
  expect(text).toContain("\nport = '5432'\n");
  expect(text).toContain("\nlisten_addresses = ''\n");
  expect(text.match(/^(?:fsync|port|listen_addresses) /gm)).toHaveLength(3);
});

test('quotes, commas and backslashes in the path of a socket folder are escaped', () => {
  expect(serverSettings({ socketDir: `/it's, a "back\\slash"`, port: 5432 })).toContain(
    `unix_socket_directories = '"/it''s, a ""back\\\\slash"""'`,
  );
});
