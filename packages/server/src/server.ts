import { startEmbeddedPostgres } from '@tessera/embedded-postgres';
import type pg from 'pg';
import { allWork, createApp } from './compose.ts';
import { openDeps } from './deps.ts';
import type { Settings } from './env.ts';
import { prepareInstallation } from './features/installation/index.ts';
import { clientTimeouts, listen } from './http/listener/listen.ts';
import { installationSecret, readPreviousInstallationSecret } from './platform/crypto/key-file.ts';
import { randomSecret } from './platform/crypto/random.ts';
import { migrate } from './platform/database/migration/migrate.ts';
import { assertKeepsSession, detectPooling } from './platform/database/pooler.ts';
import type { Log } from './platform/observability/log.ts';
import { startJobs } from './platform/queue/jobs.ts';

const databaseWaitMs = 30_000;
const databaseRetryMs = 500;

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
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
    const { port, drain } = await listen(createApp(deps), { ...settings, timeouts });
    const jobs = startJobs({ connection: database.directConnection, ...allWork(deps), log });
    const startMs = Math.round(performance.now() - startedAt);
    log.info({ port, publicUrl: settings.publicUrl, mode: settings.mode, keyFile, applied, startMs }, 'listening');
    warnAboutMail(settings, log);
    showOwnerLink(ownerLink);
    warnAboutLimits(settings, log);
    if (acceptedSecret !== undefined) warnAboutOtherSecret(log);
    return {
      port,
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
