import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readSettings, SettingsError } from './env.ts';

const secret = 'a secret with 32 characters or more';
const production = {
  DATABASE_URL: 'postgresql://tessera@db/tessera',
  TESSERA_SECRET: secret,
  TESSERA_PUBLIC_URL: 'https://auth.example.com',
};

function settingsErrors(environment: Record<string, string>): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n');
    throw error;
  }
}

test('without any variable every setting has its default', () => {
  expect(readSettings({})).toMatchObject({
    port: 4280,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:4280',
    mode: 'production',
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    databasePool: 10,
    dataDir: '.tessera',
    secret: undefined,
    internal: {
      publishableClientKey: undefined,
      secretServerKey: undefined,
      superSecretAdminKey: undefined,
      allowsSignUp: false,
    },
    accessTokenLifetimeMs: 600_000,
    drainGraceMs: 2_000,
    trustedProxyHops: 0,
    metricsToken: undefined,
    logLevel: 'info',
  });
});

test.each<[string, string, object]>([
  ['PORT', '0', { port: 0, publicUrl: 'http://localhost:0' }],
  ['PORT', '5000', { port: 5000, publicUrl: 'http://localhost:5000' }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['TESSERA_PUBLIC_URL', 'https://auth.example.com/', { publicUrl: 'https://auth.example.com' }],
  ['TESSERA_PUBLIC_URL', 'https://example.com/auth//', { publicUrl: 'https://example.com/auth' }],
  ['TESSERA_MODE', 'development', { mode: 'development', drainGraceMs: 0 }],
  ['TESSERA_DRAIN_GRACE', '15s', { drainGraceMs: 15_000 }],
  ['TESSERA_DATA_DIR', '/var/lib/tessera', { dataDir: '/var/lib/tessera' }],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://collector:4318/',
    { telemetry: { endpoint: 'http://collector:4318', serviceName: 'tessera', headers: {}, sampledShare: 1 } },
  ],
  ['TESSERA_SECRET', secret, { secret }],
  ['TESSERA_DATABASE_POOL', '50', { databasePool: 50 }],
  ['TESSERA_INTERNAL_SIGN_UP', 'on', { internal: { allowsSignUp: true } }],
  ['TESSERA_ACCESS_TOKEN_LIFETIME', '10m', { accessTokenLifetimeMs: 600_000 }],
  ['TESSERA_ACCESS_TOKEN_LIFETIME', '180s', { accessTokenLifetimeMs: 180_000 }],
  ['TESSERA_ACCESS_TOKEN_LIFETIME', '1h', { accessTokenLifetimeMs: 3_600_000 }],
  ['TESSERA_ACCESS_TOKEN_LIFETIME', '150000ms', { accessTokenLifetimeMs: 150_000 }],
  ['TESSERA_TRUST_PROXY', '2', { trustedProxyHops: 2 }],
  ['TESSERA_METRICS_TOKEN', 'sixteen or more!', { metricsToken: 'sixteen or more!' }],
  ['TESSERA_OUTBOUND_ALLOW', '10.0.0.0/8, fd00::/8', { outboundAllow: ['10.0.0.0/8', 'fd00::/8'] }],
  ['TESSERA_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['TESSERA_WORKERS', '1', { workers: 1, hasSupervisor: false }],
  ['TESSERA_WORKERS', '2', { workers: 2, hasSupervisor: true }],
  ['TESSERA_SECRET', '', { secret: undefined }],
  ['PORT', '', { port: 4280 }],
])('the setting %s=%s is read', (name, value, expected) => {
  expect(readSettings({ [name]: value })).toMatchObject(expected);
});

test.each(['us%er:pw', 'user:pw%zz', 'user:100%'])(
  'a mail server with the credentials %s, whose percent sign encodes nothing, is refused without naming them',
  credentials => {
    const environment = { ...production, TESSERA_SMTP_URL: `smtp://${credentials}@mail.example.com:587` };
    expect(settingsErrors(environment)).toEqual([
      'TESSERA_SMTP_URL has a % in user or password that encodes nothing: write %25',
    ]);
  },
);

test('TESSERA_WORKERS=auto has a supervisor on a machine with one core, so that SIGUSR2 replaces the worker', () => {
  vi.spyOn(os, 'availableParallelism').mockReturnValue(1);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  expect(readSettings({ TESSERA_WORKERS: 'auto' })).toMatchObject({ workers: 1, hasSupervisor: true });
});

test('the keys of the internal project are any strings, and either all three or none are set', () => {
  const keys = {
    TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY: 'any string',
    TESSERA_INTERNAL_SECRET_SERVER_KEY: 'another',
    TESSERA_INTERNAL_SUPER_SECRET_ADMIN_KEY: 'a third',
  };
  expect(readSettings(keys).internal).toMatchObject({
    publishableClientKey: 'any string',
    secretServerKey: 'another',
    superSecretAdminKey: 'a third',
  });
  for (const missing of Object.keys(keys)) {
    expect(settingsErrors({ ...keys, [missing]: '' }), missing).toEqual([
      expect.stringContaining('set all three or none'),
    ]);
  }
});

test('a Svix server requires both an address and a key', () => {
  const svix = { TESSERA_SVIX_URL: 'https://svix.example/', TESSERA_SVIX_API_KEY: 'testsk' };
  expect(readSettings(svix).svix).toEqual({ url: 'https://svix.example', apiKey: 'testsk' });
  expect(readSettings({}).svix).toBeUndefined();
  for (const missing of Object.keys(svix)) {
    expect(settingsErrors({ ...svix, [missing]: '' }), missing).toEqual([
      expect.stringContaining('set both or neither'),
    ]);
  }
});

test('in development another issuer may replace the shared providers', () => {
  const environment = { TESSERA_MODE: 'development', TESSERA_OAUTH_MOCK_URL: 'http://localhost:8114/' };
  expect(readSettings(environment).oauthMockUrl).toBe('http://localhost:8114');
});

test('a client id of an OAuth provider requires its secret', () => {
  const github = { TESSERA_OAUTH_GITHUB_CLIENT_ID: 'id', TESSERA_OAUTH_GITHUB_CLIENT_SECRET: 'secret' };
  const x = { TESSERA_OAUTH_X_CLIENT_ID: 'x', TESSERA_OAUTH_X_CLIENT_SECRET: 'xx' };
  expect(readSettings({ ...github, ...x }).oauthClients).toEqual({
    github: { clientId: 'id', clientSecret: 'secret' },
    x: { clientId: 'x', clientSecret: 'xx' },
  });
  expect(readSettings({}).oauthClients).toEqual({});
  for (const missing of Object.keys(github)) {
    expect(settingsErrors({ ...github, [missing]: '' }), missing).toEqual([
      expect.stringContaining('TESSERA_OAUTH_GITHUB_CLIENT_ID'),
    ]);
  }
});

test('in development sign-up on the internal project is on, unless the setting switches it off', () => {
  const mode = { TESSERA_MODE: 'development' };
  expect(readSettings(mode).internal.allowsSignUp).toBe(true);
  expect(readSettings({ ...mode, TESSERA_INTERNAL_SIGN_UP: 'off' }).internal.allowsSignUp).toBe(false);
});

test.each([
  'postgres://db',
  'postgresql://tessera:p%2Fw@[::1]:5432/tessera',
  'postgresql:///tessera?host=/run/postgresql',
  'postgresql://tessera:@/tessera?host=%2Frun%2Fpostgresql',
])('DATABASE_URL=%s is accepted', url => {
  expect(readSettings({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url);
});

describe('control 98: an invalid setting is refused by name', () => {
  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '4280x'],
    ['TESSERA_PUBLIC_URL', 'auth.example.com'],
    ['TESSERA_PUBLIC_URL', 'ftp://example.com'],
    ['TESSERA_PUBLIC_URL', 'https://example.com/?a=1'],
    ['TESSERA_PUBLIC_URL', 'https://user:password@example.com'],
    ['TESSERA_MODE', 'staging'],
    ['DATABASE_URL', 'mysql://db/tessera'],
    ['DATABASE_URL', 'postgresql://tessera:pass/word#1@db/tessera'],
    ['TESSERA_DATABASE_DIRECT_URL', 'postgresql://db/tessera'],
    ['DATABASE_READ_URL', 'postgresql://db/tessera'],
    ['TESSERA_DATABASE_DIRECT_URL', 'db:5432'],
    ['TESSERA_SECRET', 'too short'],
    ['TESSERA_DATABASE_POOL', '0'],
    ['TESSERA_INTERNAL_SIGN_UP', 'yes'],
    ['TESSERA_ACCESS_TOKEN_LIFETIME', '10'],
    ['TESSERA_ACCESS_TOKEN_LIFETIME', '119s'],
    ['TESSERA_ACCESS_TOKEN_LIFETIME', '99999999999999999999h'],
    ['TESSERA_TRUST_PROXY', '11'],
    ['TESSERA_DRAIN_GRACE', '61s'],
    ['TESSERA_METRICS_TOKEN', 'short'],
    ['TESSERA_OUTBOUND_ALLOW', '10.0.0.0/8,inside.example'],
    ['TESSERA_SVIX_URL', 'svix.example'],
    ['TESSERA_OAUTH_MOCK_URL', 'localhost:8114'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'token'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['TESSERA_LOG_LEVEL', 'loud'],
    ['TESSERA_RATE_LIMITS', 'maybe'],
    ['TESSERA_WORKERS', '0'],
    ['TESSERA_WORKERS', '1.5'],
    ['TESSERA_WORKERS', 'all'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_TRACES_SAMPLER_ARG', ' '],
  ])('%s=%s is refused, and the message says of it what it must be', (name, value) => {
    const [first, ...others] = settingsErrors({ TESSERA_MODE: 'development', [name]: value });
    expect(first).toMatch(new RegExp(`^${name} (?:must|requires) `));
    expect(others.filter(line => !line.startsWith(name))).toEqual([]);
  });

  test('a number is refused with its range, and a word with the words that there are', () => {
    const refused = { PORT: '65536', TESSERA_WORKERS: '129', TESSERA_MODE: 'staging', OTEL_TRACES_SAMPLER_ARG: '2' };
    expect(settingsErrors(refused).sort()).toEqual([
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
      'PORT must be a whole number from 0 to 65535',
      'TESSERA_MODE must be development or production',
      'TESSERA_WORKERS must be auto or a whole number from 1 to 128',
    ]);
  });

  test('all invalid settings are reported at once, without the value of a secret', () => {
    const lines = settingsErrors({ PORT: 'x', TESSERA_SECRET: 'hunter2', TESSERA_MODE: 'staging' });
    expect(lines.map(line => line.split(' ')[0]).sort()).toEqual(['PORT', 'TESSERA_MODE', 'TESSERA_SECRET']);
    expect(lines.join()).not.toContain('hunter2');
  });
});

test('problems of single settings, of pairs and of production are reported at once', () => {
  const lines = settingsErrors({
    PORT: 'x',
    DATABASE_URL: 'postgresql://db/tessera',
    TESSERA_SVIX_URL: 'https://svix.example',
    TESSERA_INTERNAL_SECRET_SERVER_KEY: 'one of three',
    TESSERA_OAUTH_GITHUB_CLIENT_ID: 'id',
    TESSERA_OAUTH_GOOGLE_CLIENT_SECRET: 'hush',
    TESSERA_PUBLIC_URL: 'http://auth.example.com/',
  });
  expect(lines).toEqual([
    'PORT must be a whole number from 0 to 65535',
    'TESSERA_INTERNAL_PUBLISHABLE_CLIENT_KEY, …_SECRET_SERVER_KEY and …_SUPER_SECRET_ADMIN_KEY go together: set all three or none',
    'TESSERA_SVIX_URL and TESSERA_SVIX_API_KEY go together: set both or neither',
    'TESSERA_OAUTH_GOOGLE_CLIENT_ID and TESSERA_OAUTH_GOOGLE_CLIENT_SECRET go together: set both or neither',
    'TESSERA_OAUTH_GITHUB_CLIENT_ID and TESSERA_OAUTH_GITHUB_CLIENT_SECRET go together: set both or neither',
    'TESSERA_SECRET must be set in production with DATABASE_URL: every process needs the same one',
    'TESSERA_PUBLIC_URL must be https in production, not http://auth.example.com',
  ]);
});

describe('control 98: in production', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['without a secret', { TESSERA_SECRET: '' }, ['TESSERA_SECRET']],
    ['without a public address', { TESSERA_PUBLIC_URL: '' }, ['TESSERA_PUBLIC_URL']],
    ['with a mock OAuth provider', { TESSERA_OAUTH_MOCK_URL: 'https://mock.example' }, ['TESSERA_OAUTH_MOCK_URL']],
    [
      'without secret and public address, and names both',
      { TESSERA_SECRET: '', TESSERA_PUBLIC_URL: '' },
      ['TESSERA_SECRET', 'TESSERA_PUBLIC_URL'],
    ],
    ['with a public address on plain http', { TESSERA_PUBLIC_URL: 'http://auth.example.com' }, ['TESSERA_PUBLIC_URL']],
    [
      'with a public name that begins with localhost',
      { TESSERA_PUBLIC_URL: 'http://localhost.example.com' },
      ['TESSERA_PUBLIC_URL'],
    ],
    [
      'with a public name that begins with 127',
      { TESSERA_PUBLIC_URL: 'http://127.example.com' },
      ['TESSERA_PUBLIC_URL'],
    ],
  ])('the server refuses to start %s', (_, environment, named) => {
    expect(settingsErrors({ ...production, ...environment }).map(line => line.split(' ')[0])).toEqual(named);
  });

  test.each<[string, Record<string, string>]>([
    ['with all required settings', {}],
    ['with a public address on plain http and a local name', { TESSERA_PUBLIC_URL: 'http://localhost:4280' }],
    ['with a public address on plain http and 127.0.0.1', { TESSERA_PUBLIC_URL: 'http://127.0.0.1:4280' }],
    ['with a public address on plain http and [::1]', { TESSERA_PUBLIC_URL: 'http://[::1]:4280' }],
    [
      'on an embedded database, without secret and public address',
      { DATABASE_URL: '', TESSERA_SECRET: '', TESSERA_PUBLIC_URL: '' },
    ],
  ])('the server starts %s', (_, environment) => {
    expect(settingsErrors({ ...production, ...environment })).toEqual([]);
  });
});

test('a start that a missing setting prevents names the unknown setting that was probably meant', () => {
  const { TESSERA_SECRET: secret, ...others } = production;
  expect(settingsErrors({ ...others, TESSERA_SECRT: secret })).toEqual([
    expect.stringMatching(/^TESSERA_SECRET must be set/),
    'TESSERA_SECRT is not a setting and is ignored. Did you mean TESSERA_SECRET?',
  ]);
});

test.each([
  ['TESSERA_TRUSTED_PROXIES', 'TESSERA_TRUST_PROXY'],
  ['TESSERA_DATABASE_URL', 'DATABASE_URL'],
  ['TESSERA_PORT', 'PORT'],
  ['TESSERA_OAUTH_GITHUB_SECRET', 'TESSERA_OAUTH_GITHUB_CLIENT_SECRET'],
])('an unknown setting %s gets a warning with the nearest name %s', (name, nearest) => {
  expect(readSettings({ [name]: '1' }).warnings).toEqual([
    `${name} is not a setting and is ignored. Did you mean ${nearest}?`,
  ]);
});

test('settings, variables of the command line and of other programs get no warning', () => {
  const keys = { TESSERA_PROJECT_ID: 'p', TESSERA_SECRET_SERVER_KEY: 's', TESSERA_CONFIG_DIR: '/etc' };
  const others = { PATH: '/bin', NEXT_PUBLIC_TESSERA_API_URL: 'http://localhost', TESSERA_TRUSTED_PROXIES: '' };
  expect(readSettings({ ...production, ...keys, ...others }).warnings).toEqual([]);
});

const smtpUrl = 'smtp://ada:pass%20word@mail.example.com';

test.each([
  ['production', smtpUrl, true],
  ['production', 'smtps://mail.example.com', true],
  ['production', `${smtpUrl}?requireTLS=false`, false],
  ['development', smtpUrl, false],
  ['development', `${smtpUrl}?requireTLS=true`, true],
] as const)('in %s mode %s requires TLS: %s', (mode, url, requiresTls) => {
  const { smtp } = readSettings({ ...production, TESSERA_MODE: mode, TESSERA_SMTP_URL: url });
  expect(smtp).toMatchObject({ host: 'mail.example.com', requiresTls });
});

test('in production a mail server without a sender address gets a warning', () => {
  const mailServer = { ...production, TESSERA_SMTP_URL: smtpUrl };
  expect(readSettings(mailServer).warnings).toEqual([expect.stringContaining('TESSERA_MAIL_FROM is not set')]);
  expect(readSettings({ ...mailServer, TESSERA_MAIL_FROM: 'noreply@example.com' }).warnings).toEqual([]);
  expect(readSettings({ ...mailServer, TESSERA_MODE: 'development' }).warnings).toEqual([]);
});

test('in development several workers without another provider get a warning: there is no mock provider', () => {
  const several = { TESSERA_MODE: 'development', TESSERA_WORKERS: '2' };
  expect(readSettings(several).warnings).toEqual([expect.stringContaining('there is no mock provider')]);
  expect(readSettings({ ...several, TESSERA_OAUTH_MOCK_URL: 'http://localhost:9000' }).warnings).toEqual([]);
  expect(readSettings({ ...several, TESSERA_WORKERS: '1' }).warnings).toEqual([]);
});

test.each(['requireTLS=no', 'requiretls=false', 'secure=false', 'requireTLS'])(
  'a mail server address with ?%s is refused',
  query => {
    expect(settingsErrors({ ...production, TESSERA_SMTP_URL: `${smtpUrl}?${query}` })).toEqual([
      expect.stringMatching(/TESSERA_SMTP_URL.*\?requireTLS=true/),
    ]);
  },
);
