import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { isAway } from '../errors.ts';

interface Connections {
  readonly connection: pg.ClientConfig;
  readonly directConnection: pg.ClientConfig;
  readonly replica?: pg.ClientConfig;
}

/** A database, told apart from a database of the same name in another cluster. A physical replica has the same values. */
interface Identity {
  readonly name: string;
  readonly oid: string;
  /** Undefined where the account may not read it. */
  readonly cluster: string | undefined;
}

/** A start waits this long for a connection to a replica that may be away, and for each answer of it. */
const timeoutMs = 3_000;

/**
 * Compares the databases that the connections lead to. The log positions that a replica is judged by belong to its
 * cluster, so without this check a replica of another database would answer with the users of that database. Behind
 * another direct connection, migrations and jobs would miss the database of the requests.
 *
 * @throws OperatorError that names the setting. A replica that is away is not compared.
 */
export async function assertOneDatabase({ connection, directConnection, replica }: Connections): Promise<void> {
  const isSameAddress = directConnection.connectionString === connection.connectionString;
  if (isSameAddress && replica === undefined) return;
  const expected = await identify(connection);
  if (!isSameAddress) assertSame('TESSERA_DATABASE_DIRECT_URL', expected, await identify(directConnection));
  if (replica === undefined) return;
  const found = await identify(replica).catch((error: unknown) => {
    if (!isAway(error)) throw error;
    return undefined;
  });
  if (found !== undefined) assertSame('DATABASE_READ_URL', expected, found);
}

function assertSame(setting: string, expected: Identity, found: Identity): void {
  const isClusterKnown = expected.cluster !== undefined && found.cluster !== undefined;
  if (found.oid === expected.oid && (!isClusterKnown || found.cluster === expected.cluster)) return;
  const names = expected.name === found.name ? `both are named ${found.name}` : `${found.name}, not ${expected.name}`;
  throw new OperatorError(
    `${setting} and DATABASE_URL lead to different databases (${names}). Both must lead to the same one.`,
  );
}

async function identify(connection: pg.ClientConfig): Promise<Identity> {
  const client = new pg.Client({ connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs, ...connection });
  // A connection that breaks fails the running statement; without a listener the event ends the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; oid: string }>(
      'select datname as name, oid::text as oid from pg_database where datname = current_database()',
    );
    const [row = { name: '', oid: '' }] = rows;
    return { ...row, cluster: await clusterOf(client) };
  } finally {
    await client.end();
  }
}

/** The account of a managed database may lack the right to read the control file. */
async function clusterOf(client: pg.Client): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ id: string }>(
      'select system_identifier::text as id from pg_control_system()',
    );
    return rows[0]?.id;
  } catch (error) {
    if (isAway(error)) throw error;
    return undefined;
  }
}
