import { apiPath } from '@tessera/protocol';
import type pg from 'pg';
import type { Settings } from './env.ts';
import { createPermissionDefinitions, type PermissionDefinitions } from './features/permissions/definitions.ts';
import { createProjects, type Projects } from './features/projects/index.ts';
import { type ActivityWriter, createActivityWriter } from './features/sessions/index.ts';
import { type AccessTokens, createAccessTokens } from './platform/access-tokens.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Database, openDatabase } from './platform/db.ts';
import type { Log } from './platform/log.ts';
import { catcherTransport } from './platform/mail/catcher.ts';
import { createMail, type Mail } from './platform/mail/index.ts';
import { smtpTransport } from './platform/mail/smtp.ts';
import { noTransport, type Transport } from './platform/mail/transport.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { type Notices, openNotices } from './platform/notices.ts';
import { createPasswords, type Passwords } from './platform/passwords.ts';
import { createSecrets, type Secrets } from './platform/secrets.ts';

/** Everything that features take from outside: what tests replace, and what would otherwise be global. */
export interface Deps {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly notices: Notices;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly projects: Projects;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly accessTokens: AccessTokens;
  readonly mail: Mail;
  /** Where letters are handed to. */
  readonly mailTransport: Transport;
  readonly activity: ActivityWriter;
  readonly metrics: Metrics;
  /** How this server asks others: OAuth providers, receivers of webhooks. */
  readonly fetch: typeof fetch;
  /** Gives back connections; requests that come later are refused. */
  close(): Promise<void>;
}

export interface DepsOptions {
  readonly settings: Settings;
  /** The installation's secret. */
  readonly secret: string;
  readonly connection: pg.ClientConfig;
  readonly log: Log;
  readonly clock?: Clock;
  readonly passwords?: Passwords;
  readonly fetch?: typeof fetch;
}

/** Opens everything on a database that has been migrated. */
export async function openDeps(options: DepsOptions): Promise<Deps> {
  const { settings, log, connection } = options;
  const clock = options.clock ?? systemClock;
  const db = openDatabase({
    connection,
    poolSize: settings.databasePool,
    onIdleError: error => log.warn({ error }, 'a database connection was lost'),
  });
  const notices = await openNotices(connection);
  const secrets = createSecrets(options.secret);
  const projects = createProjects({ db, secrets, clock, notices });
  const accessTokens = createAccessTokens({
    issuerBase: `${settings.publicUrl}${apiPath}/projects`,
    lifetimeMs: settings.accessTokenLifetimeMs,
    clock,
    keysOf: projects.signingKeysOf,
  });
  // Given ones belong to whoever gave them.
  const activity = createActivityWriter({ db, clock, log });
  const ownPasswords = createPasswords();
  const passwords = options.passwords ?? ownPasswords;
  const mailTransport = transportOf(settings, { db, secrets, clock });
  return {
    settings,
    log,
    clock,
    db,
    notices,
    secrets,
    passwords,
    projects,
    activity,
    permissionDefinitions: createPermissionDefinitions({ db, clock }),
    accessTokens,
    mail: createMail({ secrets, clock }),
    mailTransport,
    metrics: createMetrics({ collectsProcess: true }),
    fetch: options.fetch ?? fetch,
    close: async () => {
      await activity.close();
      mailTransport.close();
      await notices.close();
      await ownPasswords.close();
      await db.close();
    },
  };
}

function transportOf(settings: Settings, deps: Parameters<typeof catcherTransport>[0]): Transport {
  if (settings.smtp !== undefined) return smtpTransport(settings.smtp);
  return settings.mode === 'development' ? catcherTransport(deps) : noTransport;
}
