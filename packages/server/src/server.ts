import type { IncomingMessage, Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { createAdaptorServer } from '@hono/node-server';
import { startEmbeddedPostgres } from '@tessera/embedded-postgres';
import { headersMaxBytes } from '@tessera/protocol';
import type pg from 'pg';
import { type App, createApp } from './app.ts';
import type { Connection } from './core/connection.ts';
import { openDeps } from './deps.ts';
import { readSettings, type Settings, SettingsError } from './env.ts';
import { prepareInstallation } from './features/installation/index.ts';
import { createDrain } from './http/listener/drain.ts';
import { defaultHost, hasUsableHost } from './http/listener/host.ts';
import { commonHeaders, textType } from './http/respond.ts';
import { installationSecret, readPreviousInstallationSecret } from './platform/crypto/key-file.ts';
import { randomSecret } from './platform/crypto/random.ts';
import { migrate } from './platform/database/migration/migrate.ts';
import { assertKeepsSession, detectPooling } from './platform/database/pooler.ts';
import { logLibraryOutput } from './platform/observability/library-output.ts';
import { createLog, type Log } from './platform/observability/log.ts';
import { startJobs } from './platform/queue/jobs.ts';
import { describeStartFailure } from './platform/start-failure.ts';
import { allWork } from './tasks.ts';

const maxConnections = 10_000;
const databaseWaitMs = 30_000;
const databaseRetryMs = 500;

/** Time limits for a client; a slower one is disconnected (control 80). In milliseconds. */
export interface ClientTimeouts {
  /** For all headers. */
  readonly headersMs: number;
  /** For headers and body. */
  readonly requestMs: number;
  /** Between two requests of a connection: longer than the 60 s after which load balancers close theirs. */
  readonly keepAliveMs: number;
  /** Interval of the check for slow clients. */
  readonly checkMs: number;
}

const clientTimeouts: ClientTimeouts = { headersMs: 10_000, requestMs: 30_000, keepAliveMs: 75_000, checkMs: 2_000 };

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * The growth of the heap, in percent of the live data, that triggers a full garbage collection. By default V8 lets the
 * heap triple on a machine with enough memory; the live data are 30 MB, so an earlier collection costs little.
 */
const heapGrowingPercent = 25;

/** Runs the server as a process: from the environment to a listening socket, until a signal arrives. */
export async function start(): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const settings = readSettingsOrExit();
  const log = createLog({ level: settings.logLevel });
  logLibraryOutput(log);
  try {
    const server = await run(settings, log);
    stopOnSignal(server, log);
  } catch (error) {
    const sentence = describeStartFailure(error);
    if (sentence !== undefined) exitWithMessage(sentence);
    log.fatal({ error }, 'the server could not start');
    process.exit(1);
  }
}

/** Opens the database, migrates it, and listens. */
export async function run(settings: Settings, log: Log, timeouts = clientTimeouts): Promise<RunningServer> {
  const startedAt = performance.now();
  const database = await openServerDatabase(settings, log);
  try {
    const { applied } = await migrateWhenThere(database, log);
    const isPooled = (await detectPooling(database.connection)) !== 'none';
    const secret = settings.secret ?? (await installationSecret(settings.dataDir, randomSecret));
    const acceptedSecret = settings.previousSecret ?? (await findPreviousSecret(settings));
    const deps = await openDeps({ settings, secret, acceptedSecret, ...database, isPooled, log });
    const { keyFile, ownerLink } = await prepareInstallation(deps);
    const { server, drain } = await listen(createApp(deps), settings, timeouts);
    const jobs = startJobs({ connection: database.directConnection, ...allWork(deps), log });
    const startMs = Math.round(performance.now() - startedAt);
    log.info(
      { port: portOf(server), publicUrl: settings.publicUrl, mode: settings.mode, keyFile, applied, startMs },
      'listening',
    );
    warnAboutMail(settings, log);
    showOwnerLink(ownerLink);
    warnAboutLimits(settings, log);
    if (acceptedSecret !== undefined) warnAboutOtherSecret(log);
    return {
      port: portOf(server),
      stop: async () => {
        deps.readiness.end();
        await drain(settings.drainGraceMs);
        await jobs.stop();
        await deps.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** The previous secret in the data folder, while a change of the secret is incomplete. */
async function findPreviousSecret({ secret, dataDir }: Settings): Promise<string | undefined> {
  return secret === undefined ? readPreviousInstallationSecret(dataDir) : undefined;
}

/** Writes to stderr instead of the log, which hides every secret: the operator must be able to read this one. */
function showOwnerLink(link: string | undefined): void {
  if (link === undefined) return;
  process.stderr.write(
    `This installation has no owner yet. This link creates one; it works once, within 24 hours:\n${link}\n`,
  );
}

function warnAboutMail(settings: Settings, log: Log): void {
  if (settings.mode === 'development' || settings.smtp !== undefined) return;
  log.warn(
    'no mail can be sent: TESSERA_SMTP_URL is not set. Sign-in codes, password resets and invitations will not arrive.',
  );
}

function warnAboutLimits(settings: Settings, log: Log): void {
  if (settings.rateLimits === 'on') return;
  log.warn('limits are off: TESSERA_RATE_LIMITS is meant for load runs. Passwords can be guessed without end.');
}

function warnAboutOtherSecret(log: Log): void {
  log.warn(
    'a second secret is accepted: its holder can sign access tokens. Remove TESSERA_PREVIOUS_SECRET when tessera rotate-secret has finished.',
  );
}

function readSettingsOrExit(): Settings {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    exitWithMessage(describeStartFailure(error) ?? error.message);
  }
}

function exitWithMessage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

interface ServerDatabase {
  readonly connection: pg.ClientConfig;
  /** A direct connection to PostgreSQL, when `connection` leads through a pooler. */
  readonly directConnection: pg.ClientConfig;
  stop(): Promise<void>;
}

async function openServerDatabase(settings: Settings, log: Log): Promise<ServerDatabase> {
  const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    return {
      connection: { connectionString: databaseUrl },
      directConnection: { connectionString: databaseDirectUrl },
      stop: async () => undefined,
    };
  }
  const { connection, stop } = await startEmbeddedPostgres({
    dataDir,
    log: (message, details) => log.info(details ?? {}, message),
  });
  return { connection, directConnection: connection, stop };
}

/** Waits for a database that starts at the same time. */
async function migrateWhenThere({ directConnection }: ServerDatabase, log: Log): Promise<{ applied: string[] }> {
  const deadline = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      await assertKeepsSession(directConnection);
      return await migrate(directConnection);
    } catch (error) {
      if (!isUnreachable(error) || performance.now() > deadline) throw error;
      log.warn({ error }, 'waiting for the database');
      await new Promise(resolve => setTimeout(resolve, databaseRetryMs));
    }
  }
}

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '57P03']);

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unreachableCodes.has(String(error.code));
}

interface Listening {
  readonly server: Server;
  readonly drain: ReturnType<typeof createDrain>;
}

const invalidHost = { status: 400, headers: { ...commonHeaders(false), 'content-type': textType } };

function listen(app: App, settings: Settings, timeouts: ClientTimeouts): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, environment) => {
      const { incoming } = environment as { incoming: IncomingMessage };
      if (!hasUsableHost(incoming)) return new Response('The Host header is not valid.', invalidHost);
      return app(request, connectionOf(incoming));
    },
    hostname: defaultHost,
    serverOptions: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: headersMaxBytes,
    },
  }) as Server;
  server.maxConnections = maxConnections;
  const drain = createDrain(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => resolve({ server, drain }));
  });
}

function connectionOf({ socket: { remoteAddress } }: IncomingMessage): Connection {
  return remoteAddress === undefined ? {} : { peerAddress: remoteAddress };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function stopOnSignal(server: RunningServer, log: Log): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}
