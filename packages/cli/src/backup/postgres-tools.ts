import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
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
  const { rest: withoutParameter, password: parameter } = splitParameter(connectionString);
  const { rest: address, password = '' } = splitAuthority(withoutParameter);
  const given = parameter ?? password;
  return { database: address, variables: given === '' ? {} : { PGPASSWORD: decodeURIComponent(given) } };
}

interface SplitAddress {
  readonly rest: string;
  /** As it is in the address, with percent signs. */
  readonly password?: string | undefined;
}

/** The last `@` ends the user and the password, as for the driver of the server. For the tools it would be the first one. */
function splitAuthority(address: string): SplitAddress {
  // Not `new URL`: an address with a socket has an empty host, which WHATWG refuses together with a user.
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*)@(.*)$/s.exec(address);
  if (match === null) return { rest: address };
  const [, scheme = '', userInfo = '', rest = ''] = match;
  const [user = '', ...password] = userInfo.split(':');
  return { rest: `${scheme}${user.replaceAll('@', '%40')}@${rest}`, password: password.join(':') };
}

/** PostgreSQL also accepts `?password=`, which wins over the password in front of the host. */
function splitParameter(address: string): SplitAddress {
  const [base = '', ...query] = address.split('?');
  const parameters = query.join('?').split('&');
  const isPassword = (parameter: string) => parameter.startsWith('password=');
  const others = parameters.filter(parameter => parameter !== '' && !isPassword(parameter));
  return {
    rest: others.length === 0 ? base : `${base}?${others.join('&')}`,
    password: parameters.findLast(isPassword)?.slice('password='.length),
  };
}

async function endOf(tool: Tool, child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr?.on('data', chunk => {
    output += String(chunk);
  });
  try {
    const [code] = await once(child, 'close');
    if (code === 0) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Failure(`${tool} was not found. ${installTools}`);
  }
  const isOlder = output.includes('server version mismatch');
  throw new Failure(`${tool} failed: ${output.trim()}${isOlder ? `\n${installTools}` : ''}`);
}
