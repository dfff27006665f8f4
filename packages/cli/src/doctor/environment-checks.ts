import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseUrl } from '@tessera/protocol/urls';
import type pg from 'pg';
import { pendingMigrations, withClient } from '../database/database.ts';
import { toFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { readKeyFile } from '../key-file.ts';
import { type Finding, findings } from './check.ts';
import { fixes } from './fixes.ts';
import { databaseVersionFinding, migrationsFinding } from './rules.ts';

const patienceMs = 5_000;

/** A setting with the address of a database. */
type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_READ_URL' | 'TESSERA_DATABASE_DIRECT_URL';

/** Checks the database of each address. The embedded database belongs to the server that runs on it. */
export async function checkDatabase({ env }: Pick<Io, 'env'>): Promise<Finding[]> {
  if (env.DATABASE_URL === undefined)
    return [findings('database').skipped('DATABASE_URL is not set in this environment.')];
  const checks = [
    checkConnection(env, 'DATABASE_URL', async client => [
      databaseVersionFinding(await versionOf(client)),
      await checkSchema(client),
    ]),
    checkConnection(env, 'DATABASE_READ_URL'),
    checkConnection(env, 'TESSERA_DATABASE_DIRECT_URL'),
  ];
  return (await Promise.all(checks)).flat();
}

/** Connects to the address of a setting. A setting that is missing has no finding. */
async function checkConnection(
  env: Io['env'],
  name: DatabaseSetting,
  examine: (client: pg.Client) => Promise<Finding[]> = async () => [],
): Promise<Finding[]> {
  const { ok, wrong } = findings('database');
  const url = env[name];
  if (url === undefined) return [];
  const { postgresUrlProblem } = await import('@tessera/server');
  const problem = postgresUrlProblem(url);
  if (problem !== undefined) return [wrong(`${name} ${problem}.`, fixes.database(name))];
  try {
    return await withClient({ connectionString: url, connectionTimeoutMillis: patienceMs }, async client => [
      ok(`${name} connects to a database.`),
      ...(await examine(client)),
    ]);
  } catch (error) {
    const [reason] = toFailure(error).message.split('\n');
    return [wrong(`${name} does not connect to a database. ${reason}`, fixes.database(name))];
  }
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  try {
    return migrationsFinding(await pendingMigrations(client));
  } catch (error) {
    return findings('database schema').wrong(toFailure(error).message.split('\n')[0] ?? '', fixes.release);
  }
}

async function versionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(`select current_setting('server_version_num')::integer as version`);
  return rows[0]?.version;
}

/** Checks the settings that this environment has. Those that only a server needs may be missing. */
export async function checkSettings(io: Pick<Io, 'env' | 'cwd'>): Promise<Finding[]> {
  const { ok, warning, wrong } = findings('settings');
  const { readSettings, SettingsError } = await import('@tessera/server');
  const env = isDevelopment(io) ? { ...io.env, TESSERA_MODE: 'development' } : io.env;
  const report = (sentences: readonly string[], finding: typeof wrong) =>
    sentences.flatMap(sentence => {
      const [name = ''] = sentence.split(' ', 1);
      const isCheckedHere = io.env[name] !== undefined && !namesWithOwnCheck.has(name);
      return isCheckedHere ? [finding(sentence, `unset ${name}`)] : [];
    });
  let found: Finding[];
  try {
    found = report(readSettings(env).warnings, warning);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    found = [...report(error.problems, wrong), ...report(error.warnings, warning)];
  }
  return found.length > 0 ? found : [ok('The settings in this environment are valid.')];
}

const namesWithOwnCheck = new Set([
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'TESSERA_DATABASE_DIRECT_URL',
  'TESSERA_SMTP_URL',
]);

/** Checks that the mail server of this environment sends a greeting. Its password is checked only when the first email is sent. */
export async function checkMail(io: Pick<Io, 'env' | 'cwd'>): Promise<Finding> {
  const { ok, warning, wrong } = findings('mail');
  const text = io.env.TESSERA_SMTP_URL;
  if (text === undefined) {
    return isDevelopment(io)
      ? ok('Emails are caught and shown on /dev/mail.')
      : warning(
          'TESSERA_SMTP_URL is not set in this environment. A production server sends no email without it. Ignore this when the server has another environment.',
          fixes.mail,
        );
  }
  const url = parseUrl(text);
  if (url === undefined || !/^smtps?:\/\//.test(text)) {
    return wrong('TESSERA_SMTP_URL is not a valid address.', fixes.mail);
  }
  const isSecure = url.protocol === 'smtps:';
  const [host, port] = [url.hostname.replace(/^\[|\]$/g, ''), Number(url.port || (isSecure ? 465 : 587))];
  const greeting = await greetingOf(host, port, isSecure).catch((error: Error) => error);
  if (greeting instanceof Error) {
    return wrong(
      `Cannot connect to the mail server ${host}:${port}: ${greeting.message}. Correct TESSERA_SMTP_URL, or open the port.`,
      fixes.mail,
    );
  }
  if (greeting.startsWith('220')) return ok(`${host}:${port} responds. The first email checks its password.`);
  return wrong(`The server at ${host}:${port} does not accept email: ${greeting.slice(0, 100)}`, fixes.mail);
}

/** Only a development server has a project for the demo. */
function isDevelopment(io: Pick<Io, 'env' | 'cwd'>): boolean {
  return io.env.TESSERA_MODE === 'development' || readKeyFile(io)?.demo !== undefined;
}

/** Reads the first line that a server sends. */
function greetingOf(host: string, port: number, isSecure: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = isSecure ? connectTls({ host, port, servername: host }) : connect({ host, port });
    let text = '';
    const end = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(patienceMs, () => end(() => reject(new Error(`no greeting within ${patienceMs / 1000} s`))));
    socket.on('error', error => end(() => reject(error)));
    socket.on('end', () => end(() => resolve(text)));
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      if (text.includes('\n')) end(() => resolve(text.split(/\r?\n/)[0] ?? ''));
    });
  });
}
