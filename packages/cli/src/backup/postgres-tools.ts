import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { Environment } from '../env.ts';
import { Failure } from '../failure.ts';

type Tool = 'pg_dump' | 'pg_restore';

interface ToolOptions {
  readonly connection: pg.ClientConfig;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

const installTools =
  'Install the client programs of PostgreSQL, in the version of the server or newer (for Debian from apt.postgresql.org, such as postgresql-client-18).';

/** No owners and no rights: the restored objects belong to the account that restores. */
const portable = ['--no-owner', '--no-privileges'];

/**
 * The output of `pg_dump`, in one snapshot of the database.
 *
 * @throws Failure with the tool's message when it fails
 */
export async function* dumpDatabase(options: ToolOptions): AsyncGenerator<Buffer> {
  const child = startTool('pg_dump', ['--format=custom', ...portable], options);
  const ended = endOf('pg_dump', child);
  // The error is thrown below, after the output was read.
  ended.catch(() => undefined);
  if (child.stdout !== null) yield* child.stdout;
  await ended;
}

/** The errors of a pipe whose reader has ended. */
const closedInput = new Set<string | undefined>(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Restores the output of `pg_dump` in one transaction: everything or nothing. */
export async function restoreDatabase(dump: AsyncIterable<Buffer>, options: ToolOptions): Promise<void> {
  const child = startTool('pg_restore', ['--single-transaction', '--exit-on-error', ...portable], options);
  const ended = endOf('pg_restore', child);
  ended.catch(() => undefined);
  if (child.stdin === null) throw new Error('pg_restore has no input');
  try {
    await pipeline(Readable.from(dump, { objectMode: false }), child.stdin);
  } catch (error) {
    // A closed input with an incomplete dump ends pg_restore, and the transaction rolls back.
    child.kill();
    // pg_restore has ended early or was not found: `endOf` has the reason.
    if (!closedInput.has((error as NodeJS.ErrnoException).code)) throw error;
  }
  await ended;
}

function startTool(tool: Tool, args: readonly string[], { connection, env, signal }: ToolOptions): ChildProcess {
  const { database, variables } = targetOf(connection);
  const target = tool === 'pg_dump' ? [database] : [`--dbname=${database}`];
  return spawn(tool, [...args, '--no-password', ...target], {
    env: { PATH: env.PATH, HOME: env.HOME, LC_ALL: 'C.UTF-8', ...variables },
    stdio: [tool === 'pg_dump' ? 'ignore' : 'pipe', tool === 'pg_dump' ? 'pipe' : 'ignore', 'pipe'],
    signal,
  });
}

/** The password goes through the environment: on the command line, all users of the machine could read it. */
function targetOf({ connectionString, host, port, user, database }: pg.ClientConfig): {
  database: string;
  variables: Record<string, string>;
} {
  if (connectionString === undefined) {
    const variables = { PGHOST: String(host), PGPORT: String(port), PGUSER: String(user) };
    return { database: String(database), variables };
  }
  // As the driver of the server reads it, which also accepts a percent sign that encodes nothing.
  const { password } = new pg.Client({ connectionString });
  return {
    database: withoutAuthorityPassword(withToolParameters(connectionString)),
    variables: typeof password === 'string' && password !== '' ? { PGPASSWORD: password } : {},
  };
}

/** The last `@` ends the user and the password, as for the driver of the server. For the tools it would be the first one. */
function withoutAuthorityPassword(address: string): string {
  // Not `new URL`: an address with a socket has an empty host, which WHATWG refuses together with a user.
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*)@(.*)$/s.exec(address);
  if (match === null) return address;
  const [, scheme = '', userInfo = '', rest = ''] = match;
  const [user = ''] = userInfo.split(':');
  return `${scheme}${user.replaceAll('@', '%40')}@${rest}`;
}

/**
 * The parameters that the programs know. PostgreSQL also accepts `?password=`, which wins over the password in front of
 * the host. Two others are of the driver: `sslmode=no-verify` is `require` of the programs, which verifies nothing, and
 * `uselibpqcompat` gives `sslmode` the meaning that it has for them.
 */
function withToolParameters(address: string): string {
  const [base = '', ...query] = address.split('?');
  const parameters = query
    .join('?')
    .split('&')
    .filter(parameter => parameter !== '' && !/^(password|uselibpqcompat)=/.test(parameter))
    .map(parameter => (parameter === 'sslmode=no-verify' ? 'sslmode=require' : parameter));
  return parameters.length === 0 ? base : `${base}?${parameters.join('&')}`;
}

const stopped: Record<Tool, string> = {
  pg_dump: 'Stopped. No backup was written.',
  pg_restore: 'Stopped. Nothing was restored.',
};

async function endOf(tool: Tool, child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr?.on('data', chunk => {
    output += String(chunk);
  });
  try {
    const [code] = await once(child, 'close');
    if (code === 0) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ABORT_ERR') throw new Failure(stopped[tool]);
    if (code === 'ENOENT') throw new Failure(`${tool} was not found. ${installTools}`);
    throw error;
  }
  const isOlder = output.includes('server version mismatch');
  throw new Failure(`${tool} failed: ${output.trim()}${isOlder ? `\n${installTools}` : ''}`);
}
