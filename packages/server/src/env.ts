import {
  accessTokenLifetimeMs,
  accessTokenMinLifetimeMs,
  isLocalHost,
  type OAuthProviderId,
  oauthProviderIds,
  parseUrl,
} from '@tessera/protocol';
import * as z from 'zod';
import { unknownNameWarnings } from './setting-names.ts';
import {
  addressRanges,
  duration,
  headerList,
  oneOf,
  origin,
  postgresUrl,
  share,
  smtpServer,
  whole,
  workerCount,
} from './setting-values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** All settings of the operator, validated. */
export type Settings = z.infer<typeof schema> & {
  readonly publicUrl: string;
  /** Whether a supervisor runs the workers. With `auto` also a single one, so that SIGUSR2 works on every machine. */
  readonly hasSupervisor: boolean;
  /** The installation's client ids and secrets for the shared OAuth providers. */
  readonly oauthClients: OAuthClients;
  /** Probable mistakes that do not prevent the start, one sentence each. */
  readonly warnings: readonly string[];
};

type OAuthClients = Partial<Record<OAuthProviderId, { readonly clientId: string; readonly clientSecret: string }>>;

/** The settings are invalid; the message tells the operator which ones and why. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  /** @param warnings other probable mistakes, as in {@link Settings.warnings}; also at the end of the message */
  constructor(
    readonly problems: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    super([...problems, ...warnings].join('\n'));
  }
}

const accessTokenMaxLifetimeMs = 24 * 3600 * 1000;
/** A proxy checks every second or two whether a process is ready. */
const drainGraceMs = 2_000;
const drainMaxGraceMs = 60_000;
const defaultMailFrom = 'noreply@localhost';

/** In production, email and passwords are sent over TLS unless the URL says otherwise. */
function smtpSettings({ givenRequiresTls, ...server }: z.output<typeof smtpServer>, mode: string) {
  return { ...server, requiresTls: givenRequiresTls ?? mode === 'production' };
}

const variables = z.object({
  PORT: whole(0, 65_535).default(4280),
  HOST: z.string().default('127.0.0.1'),
  TESSERA_PUBLIC_URL: origin.optional(),
  TESSERA_MODE: oneOf('development', 'production').default('production'),
  DATABASE_URL: postgresUrl.optional(),
  TESSERA_DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  TESSERA_DATABASE_POOL: whole(1, 1000).default(10),
  TESSERA_DATA_DIR: z.string().default('.tessera'),
  TESSERA_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  TESSERA_PREVIOUS_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  TESSERA_INTERNAL_PROJECT_NAME: z.string().default('Tessera'),
  TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: z.string().optional(),
  TESSERA_INTERNAL_SECRET_SERVER_KEY: z.string().optional(),
  TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: z.string().optional(),
  TESSERA_INTERNAL_SIGN_UP: oneOf('on', 'off').optional(),
  TESSERA_WORKERS: workerCount.default(1),
  TESSERA_ACCESS_TOKEN_LIFETIME: duration
    .pipe(
      z
        .number()
        .min(accessTokenMinLifetimeMs, 'must be 2m or more')
        .max(accessTokenMaxLifetimeMs, 'must be 24h or less'),
    )
    .default(accessTokenLifetimeMs),
  TESSERA_DRAIN_GRACE: duration.pipe(z.number().max(drainMaxGraceMs, 'must be 60s or less')).optional(),
  TESSERA_TRUST_PROXY: whole(0, 10).default(0),
  TESSERA_RATE_LIMITS: oneOf('on', 'off').default('on'),
  TESSERA_METRICS_TOKEN: z.string().min(16, 'must have 16 characters or more').optional(),
  TESSERA_CRON_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
  TESSERA_SMTP_URL: smtpServer.optional(),
  TESSERA_MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be an address such as noreply@example.com')
    .default(defaultMailFrom),
  TESSERA_OUTBOUND_ALLOW: addressRanges.default([]),
  TESSERA_SVIX_URL: origin.optional(),
  TESSERA_SVIX_API_KEY: z.string().optional(),
  TESSERA_OAUTH_MOCK_URL: origin.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList.default({}),
  OTEL_SERVICE_NAME: z.string().default('tessera'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  TESSERA_LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
});

const schema = variables.transform(raw => ({
  port: raw.PORT,
  host: raw.HOST,
  givenPublicUrl: raw.TESSERA_PUBLIC_URL,
  mode: raw.TESSERA_MODE,
  databaseUrl: raw.DATABASE_URL,
  /** A direct connection to PostgreSQL, when `databaseUrl` leads through a pooler. */
  databaseDirectUrl: raw.TESSERA_DATABASE_DIRECT_URL,
  /** A read replica of `databaseUrl`. */
  databaseReadUrl: raw.DATABASE_READ_URL,
  databasePool: raw.TESSERA_DATABASE_POOL,
  dataDir: raw.TESSERA_DATA_DIR,
  secret: raw.TESSERA_SECRET,
  previousSecret: raw.TESSERA_PREVIOUS_SECRET,
  internal: {
    displayName: raw.TESSERA_INTERNAL_PROJECT_NAME,
    publishableClientKey: raw.TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY,
    secretServerKey: raw.TESSERA_INTERNAL_SECRET_SERVER_KEY,
    superSecretAdminKey: raw.TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY,
    allowsSignUp: (raw.TESSERA_INTERNAL_SIGN_UP ?? (raw.TESSERA_MODE === 'development' ? 'on' : 'off')) === 'on',
  },
  workers: raw.TESSERA_WORKERS,
  accessTokenLifetimeMs: raw.TESSERA_ACCESS_TOKEN_LIFETIME,
  drainGraceMs: raw.TESSERA_DRAIN_GRACE ?? (raw.TESSERA_MODE === 'production' ? drainGraceMs : 0),
  trustedProxyHops: raw.TESSERA_TRUST_PROXY,
  rateLimits: raw.TESSERA_RATE_LIMITS,
  metricsToken: raw.TESSERA_METRICS_TOKEN,
  cronSecret: raw.TESSERA_CRON_SECRET,
  smtp: raw.TESSERA_SMTP_URL && smtpSettings(raw.TESSERA_SMTP_URL, raw.TESSERA_MODE),
  mailFrom: raw.TESSERA_MAIL_FROM,
  outboundAllow: raw.TESSERA_OUTBOUND_ALLOW,
  svix: svixServer(raw.TESSERA_SVIX_URL, raw.TESSERA_SVIX_API_KEY),
  oauthMockUrl: raw.TESSERA_OAUTH_MOCK_URL,
  /** The OpenTelemetry collector, if there is one. */
  telemetry:
    raw.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? undefined
      : {
          endpoint: raw.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: raw.OTEL_SERVICE_NAME,
          headers: raw.OTEL_EXPORTER_OTLP_HEADERS,
          sampledShare: raw.OTEL_TRACES_SAMPLER_ARG,
        },
  logLevel: raw.TESSERA_LOG_LEVEL,
}));

const settingNames = [...Object.keys(variables.shape), ...oauthProviderIds.flatMap(oauthVariables)];

/**
 * Reads the environment variables; no other code does. An empty variable counts as unset.
 *
 * @throws SettingsError that names every invalid variable, and in production every missing one
 */
export function readSettings(environment: Environment = process.env): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  const invalid = parsed.error?.issues.map(issue => `${issue.path.join('.')} ${issue.message}`) ?? [];
  const problems = [...invalid, ...incompleteSettings(given), ...productionProblems(given)];
  // A mistyped name is often the reason why a required setting is missing.
  const unknownNames = unknownNameWarnings(Object.keys(given), settingNames);
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems, unknownNames);
  return {
    ...parsed.data,
    publicUrl: parsed.data.givenPublicUrl ?? `http://localhost:${parsed.data.port}`,
    hasSupervisor: given.TESSERA_WORKERS === 'auto' || parsed.data.workers > 1,
    oauthClients: readOAuthClients(given),
    warnings: [...unknownNames, ...senderWarnings(given), ...mockProviderWarnings(parsed.data)],
  };
}

const internalKeyNames = [
  'TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY',
  'TESSERA_INTERNAL_SECRET_SERVER_KEY',
  'TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY',
] as const;

/** The settings that need another one, which is missing. */
function incompleteSettings(given: Environment): string[] {
  const problems: string[] = [];
  const missingKeys = internalKeyNames.filter(name => given[name] === undefined).length;
  if (missingKeys !== 0 && missingKeys !== internalKeyNames.length) {
    problems.push(
      'TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY, …_SECRET_SERVER_KEY and …_SUPER_SECRET_ADMIN_KEY go together: set all three or none',
    );
  }
  const pairs = [['TESSERA_SVIX_URL', 'TESSERA_SVIX_API_KEY'], ...oauthProviderIds.map(oauthVariables)];
  for (const [first = '', second = ''] of pairs) {
    if ((given[first] === undefined) === (given[second] === undefined)) continue;
    problems.push(`${first} and ${second} go together: set both or neither`);
  }
  for (const name of ['TESSERA_DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
    if (given[name] === undefined || given.DATABASE_URL !== undefined) continue;
    problems.push(`${name} requires DATABASE_URL: set both`);
  }
  return problems;
}

/** The variables with the client id and the client secret of a shared provider. */
function oauthVariables(id: OAuthProviderId): [clientId: string, clientSecret: string] {
  const name = `TESSERA_OAUTH_${id.toUpperCase()}`;
  return [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
}

function readOAuthClients(given: Environment): OAuthClients {
  return Object.fromEntries(
    oauthProviderIds.flatMap(id => {
      const [clientId, clientSecret] = oauthVariables(id).map(name => given[name]);
      return clientId === undefined || clientSecret === undefined ? [] : [[id, { clientId, clientSecret }]];
    }),
  );
}

function svixServer(url: string | undefined, apiKey: string | undefined): { url: string; apiKey: string } | undefined {
  return url === undefined || apiKey === undefined ? undefined : { url, apiKey };
}

/** The problems that stop a production server from starting (control 98). */
function productionProblems(given: Environment): string[] {
  if (!isProduction(given)) return [];
  const problems: string[] = [];
  const isShared = given.DATABASE_URL !== undefined;
  if (isShared && given.TESSERA_SECRET === undefined) {
    problems.push('TESSERA_SECRET must be set in production with DATABASE_URL: every process needs the same one');
  }
  if (isShared && given.TESSERA_PUBLIC_URL === undefined) {
    problems.push('TESSERA_PUBLIC_URL must be set in production with DATABASE_URL: links and tokens carry it');
  }
  if (given.TESSERA_OAUTH_MOCK_URL !== undefined) {
    problems.push('TESSERA_OAUTH_MOCK_URL must not be set in production: its operator could sign in as any user');
  }
  const publicUrl = parseUrl(given.TESSERA_PUBLIC_URL ?? '');
  if (publicUrl?.protocol === 'http:' && !isLoopbackName(publicUrl.hostname)) {
    problems.push(`TESSERA_PUBLIC_URL must be https in production, not ${publicUrl.origin}`);
  }
  return problems;
}

function isProduction({ TESSERA_MODE: mode = 'production' }: Environment): boolean {
  return mode === 'production';
}

function senderWarnings(given: Environment): string[] {
  if (!isProduction(given) || given.TESSERA_SMTP_URL === undefined || given.TESSERA_MAIL_FROM !== undefined) return [];
  return [
    `TESSERA_MAIL_FROM is not set, so emails come from ${defaultMailFrom}. Most mail servers refuse this address or mark it as spam.`,
  ];
}

type ProviderSettings = Pick<Settings, 'mode' | 'oauthMockUrl' | 'workers'>;

/** Its sign-ins are in the memory of one process, and the requests of a browser reach all workers. */
export function hasMockProvider(settings: ProviderSettings): boolean {
  return needsMockProvider(settings) && settings.workers === 1;
}

function needsMockProvider({ mode, oauthMockUrl }: ProviderSettings): boolean {
  return mode === 'development' && oauthMockUrl === undefined;
}

function mockProviderWarnings(settings: ProviderSettings): string[] {
  if (hasMockProvider(settings) || !needsMockProvider(settings)) return [];
  return [
    'With several workers there is no mock provider: set TESSERA_WORKERS=1, TESSERA_OAUTH_MOCK_URL, or keys of the providers.',
  ];
}

function isLoopbackName(hostname: string): boolean {
  return isLocalHost(hostname) || hostname === '[::1]';
}
