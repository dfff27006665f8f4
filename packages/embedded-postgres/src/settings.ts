/** The name of the database and of its only role. */
export const databaseName = 'tessera';

/** Where PostgreSQL listens: a socket in a private folder, or, on systems without sockets, the loopback interface. */
export type Listener = { socketDir: string; port: number } | { loopbackPort: number; password: string };

/**
 * The text of `postgresql.conf`. It is written at every start, so it always fits this release.
 *
 * @param overrides replace fixed settings, but not those of the listener
 */
export function serverSettings(listener: Listener, overrides: Readonly<Record<string, string>> = {}): string {
  const settings = { ...fixedSettings, ...overrides, ...listenerSettings(listener) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
  return `${['# Written by Tessera at every start; changes are lost.', ...lines].join('\n')}\n`;
}

/** The text of `pg_hba.conf`: who may connect, and how. */
export function accessRules(listener: Listener): string {
  if ('socketDir' in listener) return `local all ${databaseName} trust\n`;
  return `host all ${databaseName} 127.0.0.1/32 scram-sha-256\n`;
}

const fixedSettings: Record<string, string> = {
  // An acknowledged write survives a power failure. Set although these are the defaults, because it is a promise.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  allow_alter_system: 'off',
  shared_buffers: '128MB',
  max_connections: '50',
  random_page_cost: '1.1',
  // JIT compilation costs more than it saves in queries of a few milliseconds.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '%m [%p] ',
  // The server logs failed statements itself; details in this log would contain email addresses and names.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

function listenerSettings(listener: Listener): Record<string, string> {
  if ('loopbackPort' in listener) {
    return { listen_addresses: '127.0.0.1', port: String(listener.loopbackPort), unix_socket_directories: '' };
  }
  return {
    listen_addresses: '',
    port: String(listener.port),
    unix_socket_directories: `"${listener.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
