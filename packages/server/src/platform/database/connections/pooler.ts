import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';

/**
 * The target of a connection string: PostgreSQL itself, or a pooler that assigns a server connection to each client
 * (`session`) or to each transaction (`transaction`).
 */
export type Pooling = 'none' | 'session' | 'transaction';

/** Each open transaction makes it less likely that the pooler assigns the same connection to the first client by chance. */
const maxHolders = 2;
const connectTimeoutMs = 10_000;
/** A pooler in session mode makes a client wait when all its connections are taken; in transaction mode one is free. */
const holdTimeoutMs = 2_000;

/**
 * Detects the kind of a connection. A pooler creates its own cancel key for a client, so the process id in that key
 * differs from the one of the server. In transaction mode, a connection that one client has used outside a transaction
 * is assigned to the next client.
 *
 * @throws when the database cannot be reached
 */
export async function detectPooling(connection: pg.ClientConfig): Promise<Pooling> {
  const clients: pg.Client[] = [];
  try {
    const first = await open(connection, clients);
    const pid = await serverPid(first);
    if (pid === cancelKeyPid(first)) return 'none';
    for (let count = 0; count < maxHolders; count++) {
      const holder = await open({ ...connection, query_timeout: holdTimeoutMs }, clients);
      if (!(await canBegin(holder))) return 'session';
      if ((await serverPid(holder)) === pid || (await serverPid(first)) !== pid) return 'transaction';
    }
    return 'session';
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
}

/**
 * LISTEN, session locks and the job queue need a connection that does not change.
 *
 * @throws OperatorError when `connection` leads through a pooler in transaction mode
 */
export async function assertKeepsSession(connection: pg.ClientConfig): Promise<void> {
  if ((await detectPooling(connection)) !== 'transaction') return;
  throw new OperatorError(
    'The database is reached through a connection pooler in transaction mode. Keep that address in DATABASE_URL, and set TESSERA_DATABASE_DIRECT_URL to the address of PostgreSQL itself: migrations, the job queue and notifications between processes need connections that do not change.',
  );
}

async function open(connection: pg.ClientConfig, clients: pg.Client[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: connectTimeoutMs, ...connection });
  // A connection that breaks fails the running statement; without a listener the event ends the process.
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

async function canBegin(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin');
    return true;
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) return false;
    throw new OperatorError(
      'The connection pooler of DATABASE_URL refuses transactions. Set it to transaction mode: statement mode cannot work.',
      { cause },
    );
  }
}

async function serverPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** The process id of the cancel key; the types of `pg` do not declare it. */
function cancelKeyPid(client: pg.Client): number | null {
  return (client as pg.Client & { readonly processID: number | null }).processID;
}
