import { apiPath, testEmailTimeoutMs } from '@tessera/protocol';
import type pg from 'pg';
import { hasMockProvider, type Settings } from './env.ts';
import { type AuditWriter, createAuditWriter } from './features/audit/index.ts';
import { catcherTransport } from './features/email/catcher/transport.ts';
import { createMail, type Mail } from './features/email/queue/index.ts';
import { installationTransport } from './features/email/transport/installation-server.ts';
import { createOwnMailServers, type OwnMailServers } from './features/email/transport/project-servers.ts';
import { noTransport, type Transport } from './features/email/transport/transport.ts';
import { createMockProvider, type MockProvider } from './features/mock-oidc-provider/index.ts';
import {
  createPermissionDefinitions,
  type PermissionDefinitions,
} from './features/permissions/definitions/definitions.ts';
import { createKeySetUses, createProjects, type KeySetUses, type Projects } from './features/projects/index.ts';
import {
  type ActivityWriter,
  createActivityWriter,
  createSessionFinder,
  type FindSession,
} from './features/sessions/index.ts';
import { forwardEventsToSvix } from './features/webhooks/events/index.ts';
import { type Clock, createDatabaseClock } from './platform/clock.ts';
import { type AccessTokens, createAccessTokens } from './platform/crypto/access-tokens.ts';
import { createPasswords, type Passwords } from './platform/crypto/passwords.ts';
import { createSecrets, type Secrets } from './platform/crypto/secrets.ts';
import type { DatabaseTimings } from './platform/database/connections/timings.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { type DatabaseNotifications, openDatabaseNotifications } from './platform/database/notifications.ts';
import { type ConvertImage, createImageConverter } from './platform/images.ts';
import { addressCheck, createOutbound, loopbackRanges, type Outbound } from './platform/network/outbound.ts';
import type { Log } from './platform/observability/log.ts';
import { createMetrics, type Metrics } from './platform/observability/metrics.ts';
import { createReadiness, type Readiness } from './platform/observability/readiness.ts';
import { openTelemetry } from './platform/observability/telemetry/open-telemetry.ts';
import type { Telemetry } from './platform/observability/telemetry/telemetry.ts';
import { createThrottledLog } from './platform/observability/throttled-log.ts';
import { readWaitingJobs } from './platform/queue/waiting-jobs.ts';
import { createRateLimits, noRateLimits, type RateLimits } from './platform/rate-limits/index.ts';

/** The dependencies of all features: what tests replace, and what would otherwise be global. */
export interface Deps {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly databaseNotifications: DatabaseNotifications;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly projects: Projects;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly accessTokens: AccessTokens;
  readonly mail: Mail;
  /** Sends email through the installation's mail server. */
  readonly mailTransport: Transport;
  /** Sends email through the mail servers that projects configure. */
  readonly ownMailServers: OwnMailServers;
  readonly findSession: FindSession;
  readonly activity: ActivityWriter;
  readonly keySetUses: KeySetUses;
  /** Writes audit events outside a transaction; inside one, `recordAudit` does. */
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
  readonly convertImage: ConvertImage;
  readonly metrics: Metrics;
  /** Sends traces and metrics to a collector; undefined without one. */
  readonly telemetry: Telemetry | undefined;
  readonly readiness: Readiness;
  /** Sends requests to addresses that the operator sets. */
  readonly fetch: typeof fetch;
  /** Sends requests to addresses that customers set: webhook endpoints, issuers of a project. */
  readonly outbound: Outbound;
  /** Replaces the shared OAuth providers in development; undefined when they are real or mocked elsewhere. */
  readonly mockProvider: MockProvider | undefined;
  /** Closes all connections; later requests are refused. */
  close(): Promise<void>;
}

export interface DepsOptions {
  readonly settings: Settings;
  /** The installation's secret. */
  readonly secret: string;
  /** Another accepted secret, while the installation changes its secret. */
  readonly acceptedSecret?: string | undefined;
  readonly connection: pg.ClientConfig;
  /** A direct connection to PostgreSQL, when `connection` leads through a pooler: for work that needs a session. */
  readonly directConnection?: pg.ClientConfig;
  readonly isBehindPooler?: boolean;
  /** A read replica. */
  readonly replica?: pg.ClientConfig;
  readonly log: Log;
  /** Default: the clock of the database. */
  readonly clock?: Clock;
  readonly timings?: Partial<DatabaseTimings>;
  readonly passwords?: Passwords;
  readonly fetch?: typeof fetch;
  /** The text of `/metrics` for all workers of this machine. Default: that of this process. */
  readonly gatherMetrics?: (() => Promise<string>) | undefined;
}

/** Opens all dependencies on a migrated database. When the database is away, it fails and leaves nothing open. */
export async function openDeps(options: DepsOptions): Promise<Deps> {
  const { settings, log } = options;
  const databaseClock = createDatabaseClock();
  const clock = options.clock ?? databaseClock;
  // First, because without the database nothing else may be left open.
  const { db: untraced, databaseNotifications } = await openConnections(options, databaseClock.follow);
  const observed = await openObservability(options, clock);
  observed.metrics.collectJobs(() => readWaitingJobs(untraced));
  const db = observed.telemetry?.traceDatabase(untraced) ?? untraced;
  const secrets = createSecrets(options.secret, options.acceptedSecret);
  const projects = createProjects({ db, secrets, clock, databaseNotifications, settings });
  const accessTokens = createAccessTokens({
    issuerBase: `${settings.publicUrl}${apiPath}/projects`,
    lifetimeMs: settings.accessTokenLifetimeMs,
    clock,
    keysOf: projects.signingKeysOf,
  });
  const activity = createActivityWriter({ db, clock, log });
  const keySetUses = createKeySetUses({ db, clock, log });
  const audit = createAuditWriter({ db, clock, log });
  const ownPasswords = createPasswords();
  const passwords = options.passwords ?? ownPasswords;
  const outbound = openOutbound(settings);
  const mailTransport = selectTransport(settings, { db, secrets, clock });
  const ownMailServers = openOwnMailServers(settings);
  return {
    settings,
    log,
    clock,
    db,
    databaseNotifications,
    secrets,
    passwords,
    projects,
    findSession: createSessionFinder(db),
    activity,
    keySetUses,
    audit,
    permissionDefinitions: createPermissionDefinitions({ db, databaseNotifications }),
    accessTokens,
    mail: createMail({ secrets, clock }),
    mailTransport,
    ownMailServers,
    rateLimits: settings.rateLimits === 'on' ? createRateLimits({ db, databaseNotifications }) : noRateLimits,
    convertImage: createImageConverter(),
    ...observed,
    readiness: createReadiness(),
    fetch: options.fetch ?? fetch,
    outbound,
    mockProvider: selectMockProvider(settings),
    close: async () => {
      // Together: a collector that does not answer takes longer than many service managers wait for a stop.
      await Promise.all([activity.close(), keySetUses.close(), audit.close(), observed.telemetry?.close()]);
      mailTransport.close();
      ownMailServers.close();
      outbound.close();
      await databaseNotifications.close();
      await ownPasswords.close();
      await db.close();
    },
  };
}

/** The pool and the connection that receives notifications; each beat of the latter brings the time of the database. */
async function openConnections(
  { settings, log, connection, ...options }: DepsOptions,
  onBeat: ReturnType<typeof createDatabaseClock>['follow'],
): Promise<Pick<Deps, 'db' | 'databaseNotifications'>> {
  const db = openDatabase({
    connection,
    timings: options.timings,
    poolSize: settings.databasePool,
    isBehindPooler: options.isBehindPooler ?? false,
    onAway: createThrottledLog(log, 'the database is not available'),
    replica: options.replica,
    onReplicaFallback: createThrottledLog(log, 'the primary answers reads, because the replica cannot'),
    ...(settings.svix === undefined ? {} : { sessionSettings: forwardEventsToSvix }),
  });
  const databaseNotifications = await openDatabaseNotifications({
    connection: options.directConnection ?? connection,
    timings: options.timings,
    log,
    onBeat,
  }).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return { db, databaseNotifications };
}

async function openObservability(
  { settings, log, gatherMetrics, fetch: send = fetch }: DepsOptions,
  clock: Clock,
): Promise<Pick<Deps, 'metrics' | 'telemetry'>> {
  const metrics = createMetrics(gatherMetrics);
  const telemetry = await openTelemetry(settings.telemetry, { metrics, log, fetch: send, nowMillis: clock.now });
  return { metrics, telemetry };
}

function openOwnMailServers({ mode, outboundAllow }: Settings): OwnMailServers {
  return createOwnMailServers({
    // Control 86; on a developer's machine the mail server runs locally.
    mayReach: mode === 'development' ? () => true : addressCheck(outboundAllow),
    timeoutMs: testEmailTimeoutMs,
  });
}

function openOutbound({ outboundAllow, mode }: Settings): Outbound {
  return createOutbound({ allow: [...outboundAllow, ...(mode === 'development' ? loopbackRanges : [])] });
}

function selectTransport(settings: Settings, deps: Parameters<typeof catcherTransport>[0]): Transport {
  if (settings.smtp !== undefined) return installationTransport(settings.smtp);
  return settings.mode === 'development' ? catcherTransport(deps) : noTransport;
}

function selectMockProvider(settings: Settings): MockProvider | undefined {
  return hasMockProvider(settings) ? createMockProvider(settings.publicUrl) : undefined;
}
