import pg from 'pg';
import { OperatorError } from '../operator-error.ts';

/**
 * What a connection string leads to: PostgreSQL itself, or a pooler that gives each client a server connection of its
 * own (`session`) or each transaction the next free one (`transaction`).
 */
export type Pooling = 'none' | 'session' | 'transaction';

/** Each open transaction makes it less likely that a pooler gives the first client the same connection by chance. */
const maxHolders = 2;
const connectTimeoutMs = 10_000;
/** A pooler in session mode lets a client wait when all its connections are taken; in transaction mode one is free. */
const holdTimeoutMs = 2_000;

/**
 * Asks the database which kind of connection this is. A pooler invents the key that a client gets for cancelling, so
 * the process id in it is not the one of the server. In transaction mode, a connection that one client has used outside
 * a transaction is given to the next client.
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
 * LISTEN, session locks and the job queue need a connection that stays the same.
 *
 * @throws OperatorError when `connection` leads through a pooler in transaction mode
 */
export async function assertKeepsSession(connection: pg.ClientConfig): Promise<void> {
  if ((await detectPooling(connection)) !== 'transaction') return;
  throw new OperatorError(
    'The database is reached through a connection pooler in transaction mode. Keep that address in DATABASE_URL, and set TESSERA_DATABASE_DIRECT_URL to the address of PostgreSQL itself: migrations, the job queue and notices between processes need connections that stay the same.',
  );
}

async function open(connection: pg.ClientConfig, clients: pg.Client[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: connectTimeoutMs, ...connection });
  // A connection that breaks fails the statement that runs; without a listener the event would end the process.
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

/** The process id that came with the cancel key; the types of `pg` leave it out. */
function cancelKeyPid(client: pg.Client): number | null {
  return (client as pg.Client & { readonly processID: number | null }).processID;
}
