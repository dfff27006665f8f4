import { allWork, createHandler } from './compose.ts';
import { type Deps, type DepsOptions, openDeps } from './deps.ts';
import type { Settings } from './env.ts';
import { prepareInstallation } from './features/installation/index.ts';
import { type ClientTimeouts, clientTimeouts, listen } from './http/listener/listen.ts';
import { installationSecret, readPreviousInstallationSecret } from './platform/crypto/key-file.ts';
import { randomSecret } from './platform/crypto/random.ts';
import { detectPooling } from './platform/database/connections/pooler.ts';
import { migrateWithRetries } from './platform/database/migration/migrate-with-retries.ts';
import { retryWhileAway } from './platform/database/retry-while-away.ts';
import type { Log } from './platform/observability/log.ts';
import type { Metrics } from './platform/observability/metrics.ts';
import { startJobs } from './platform/queue/jobs.ts';
import type { RunningServer } from './running-server.ts';
import { openServerDatabase, type ServerDatabase } from './server-database.ts';

export interface RunOptions {
  readonly timeouts?: ClientTimeouts;
  /** An open database, which the server stops at its end. Default: the one that the settings name. */
  readonly database?: ServerDatabase;
  /** When the start began, on the monotonic clock. Default: now. */
  readonly startedAtMs?: number;
  /** Ends a start that waits for the database or migrates. A later stop is the caller's. Default: never. */
  readonly signal?: AbortSignal;
  /** Whether to migrate and to create the project `internal`. Default: true. One of several workers does. */
  readonly isFirst?: boolean;
  /** The text of `/metrics` for all workers. Default: that of this process. */
  readonly gatherMetrics?: () => Promise<string>;
  /** Receives the metrics of this process, for `gatherMetrics`. */
  readonly onMetrics?: (metrics: Metrics) => void;
}

/**
 * Opens the database, migrates it, and listens.
 *
 * @throws the reason of `signal` when it aborts before the database is migrated and the installation is prepared
 */
export async function run(settings: Settings, log: Log, options: RunOptions = {}): Promise<RunningServer> {
  const {
    startedAtMs = performance.now(),
    timeouts = clientTimeouts,
    isFirst = true,
    signal = new AbortController().signal,
    gatherMetrics,
    onMetrics,
  } = options;
  const database = options.database ?? (await openServerDatabase(settings, log));
  let opening: Promise<Deps> | undefined;
  try {
    const { applied } = isFirst ? await migrateWithRetries(database, log, signal) : { applied: [] };
    const secret = settings.secret ?? (await installationSecret(settings.dataDir, randomSecret));
    const acceptedSecret = settings.previousSecret ?? (await findPreviousSecret(settings));
    const open = () => {
      opening = openOnDatabase(database, { settings, secret, acceptedSecret, log, gatherMetrics });
      return opening;
    };
    // A worker may replace a crashed one during an outage: failed starts would count as a crash loop and end all workers.
    const deps = await retryWhileAway(open, log, signal);
    const { keyFile, ownerLink } = isFirst ? await retryWhileAway(() => prepareInstallation(deps), log, signal) : {};
    const { port, drain } = await listen(createHandler(deps), { ...settings, timeouts, log });
    const jobs = startJobs({ connection: database.directConnection, ...allWork(deps), log });
    onMetrics?.(deps.metrics);
    const startMs = Math.round(performance.now() - startedAtMs);
    log.info({ port, publicUrl: settings.publicUrl, mode: settings.mode, keyFile, applied, startMs }, 'listening');
    showOwnerLink(ownerLink);
    if (isFirst) warnAboutSettings(settings, log);
    if (acceptedSecret !== undefined) warnAboutOtherSecret(settings, log);
    await deps.metrics.collectProcess();
    return {
      port,
      stop: async ({ isReplaced = false } = {}) => {
        // The replacement listens on the same port, so `/ready` of that port must not fail.
        if (!isReplaced) deps.readiness.end();
        await drain(isReplaced ? 0 : settings.drainGraceMs);
        await jobs.stop();
        await deps.close();
        await database.stop();
      },
    };
  } catch (error) {
    // After an abort the last attempt may still run; one that failed has nothing open.
    const opened = await opening?.catch(() => undefined);
    await opened?.close();
    await database.stop();
    throw error;
  }
}

async function openOnDatabase(
  database: ServerDatabase,
  options: Omit<DepsOptions, 'connection' | 'directConnection' | 'replica' | 'isBehindPooler'>,
): Promise<Deps> {
  const isBehindPooler = !database.isEmbedded && (await detectPooling(database.connection)) !== 'none';
  return openDeps({ ...options, ...database, isBehindPooler });
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

function warnAboutSettings(settings: Settings, log: Log): void {
  for (const warning of settings.warnings) log.warn(warning);
  warnAboutMail(settings, log);
  warnAboutLimits(settings, log);
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

function warnAboutOtherSecret({ previousSecret }: Settings, log: Log): void {
  const remedy =
    previousSecret === undefined
      ? 'A change of the secret was interrupted: stop the server and run tessera rotate-secret again.'
      : 'Remove TESSERA_PREVIOUS_SECRET when tessera rotate-secret has finished.';
  log.warn(`a second secret is accepted: its holder can sign access tokens. ${remedy}`);
}
