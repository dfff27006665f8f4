import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AnyAppOptions, resolveConfig } from './config.ts';
import { adminKeys, serverKeys } from './server-keys.ts';

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/TESSERA|STACK/.test(name)) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const given = {
  tokenStore: null,
  projectId: 'p',
  publishableClientKey: 'k',
  baseUrl: 'https://given.example',
} as const;

function set(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

type Side = 'browser' | 'server';

function urlFor(side: Side, options: Partial<AnyAppOptions> = {}): string {
  return resolveConfig({ ...given, baseUrl: undefined, ...options } as AnyAppOptions, side).baseUrl;
}

describe('a wrong setting is named at construction', () => {
  test.each([
    ['localhost:4280', /like https:.+ not "localhost:4280"/],
    ['https://auth.example.com/api/v1', /not "https:.+api\/v1"/],
    ['https://auth.example.com/api/v1/', /not "https:.+api\/v1"/],
  ])('the base URL %s', (baseUrl, words) => {
    expect(() => resolveConfig({ ...given, baseUrl }, 'server')).toThrow(words);
  });

  test.each(['ssk_secret', 'sak_secret'])('the secret key %s as publishable key, without a quote', key => {
    const construct = () => resolveConfig({ ...given, publishableClientKey: key }, 'browser');
    expect(construct).toThrow(/publishableClientKey is a secret key/);
    expect(construct).not.toThrow(/secret$|_secret/);
  });
});

test.each(['baseUrl', 'projectId'])('an empty %s counts as missing', option => {
  expect(() => resolveConfig({ ...given, [option]: '' }, 'browser')).toThrow(`The app has no ${option}.`);
});

test.each([
  ['projectId', 'VITE_TESSERA_PROJECT_ID', '…'],
  ['publishableClientKey', 'NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY', 'pck_…'],
  ['secretServerKey', 'TESSERA_SECRET_SERVER_KEY', 'ssk_…'],
])('%s counts as missing while its variable has the ellipsis of a quickstart', (option, name, value) => {
  set({ [name]: value });
  const construct = () => resolveConfig({ ...given, [option]: undefined } as AnyAppOptions, 'server', serverKeys);
  expect(construct).toThrow(new RegExp(`The app has no ${option}.*${name}`));
});

test('an empty key is accepted: a program with a secret key may have no publishable one', () => {
  const keys = { publishableClientKey: '', secretServerKey: '', superSecretAdminKey: 'sak_1' };
  expect(resolveConfig({ ...given, ...keys }, 'server', adminKeys)).toMatchObject(keys);
});

describe('the base URL', () => {
  const precedence = (side: 'BROWSER' | 'SERVER') => [
    `NEXT_PUBLIC_${side}_TESSERA_API_URL`,
    'NEXT_PUBLIC_TESSERA_API_URL',
    'VITE_TESSERA_API_URL',
    'TESSERA_API_URL',
    `NEXT_PUBLIC_${side}_STACK_API_URL`,
    'NEXT_PUBLIC_STACK_API_URL',
    'NEXT_PUBLIC_STACK_URL',
  ];

  test.each([
    ['browser', precedence('BROWSER')],
    ['server', precedence('SERVER')],
  ] as const)('for the %s comes from the first variable that is set', (side, names) => {
    for (const [index, name] of [...names.entries()].reverse()) {
      set({ [name]: `https://${index}.example` });
      expect(urlFor(side)).toBe(`https://${index}.example`);
    }
  });

  test('is not read from the variable of the other side', () => {
    set({ NEXT_PUBLIC_SERVER_TESSERA_API_URL: 'https://server.example', TESSERA_API_URL: 'https://both.example' });
    expect(urlFor('browser')).toBe('https://both.example');
  });

  test('is the option for this side, without a trailing slash', () => {
    set({ NEXT_PUBLIC_TESSERA_API_URL: 'https://env.example' });
    expect(urlFor('server', { baseUrl: 'https://given.example/' })).toBe('https://given.example');
    const baseUrl = { browser: 'https://b.example', server: 'https://s.example' };
    expect([urlFor('browser', { baseUrl }), urlFor('server', { baseUrl })]).toEqual([
      'https://b.example',
      'https://s.example',
    ]);
  });

  test('has no default: the error names the variable', () => {
    set({ NEXT_PUBLIC_TESSERA_API_URL: '' });
    expect(() => urlFor('browser')).toThrow('NEXT_PUBLIC_TESSERA_API_URL');
  });
});

describe('keys', () => {
  const options = { tokenStore: null, baseUrl: 'https://given.example' } as const;

  test.each([
    [
      'projectId',
      [
        'NEXT_PUBLIC_TESSERA_PROJECT_ID',
        'VITE_TESSERA_PROJECT_ID',
        'TESSERA_PROJECT_ID',
        'NEXT_PUBLIC_STACK_PROJECT_ID',
      ],
    ],
    [
      'publishableClientKey',
      [
        'NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY',
        'VITE_TESSERA_PUBLISHABLE_CLIENT_KEY',
        'TESSERA_PUBLISHABLE_CLIENT_KEY',
        'NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY',
      ],
    ],
    ['secretServerKey', ['TESSERA_SECRET_SERVER_KEY', 'STACK_SECRET_SERVER_KEY']],
    ['superSecretAdminKey', ['TESSERA_SUPER_SECRET_ADMIN_KEY', 'STACK_SUPER_SECRET_ADMIN_KEY']],
  ] as const)('%s comes from the option, else from the first variable that is set', (option, names) => {
    const others = { ...given, secretServerKey: 's', superSecretAdminKey: 'a' };
    const read = (own?: string) =>
      resolveConfig({ ...others, [option]: own } as AnyAppOptions, 'server', adminKeys)[option];
    expect(() => read()).toThrow(names[0]);
    for (const [index, name] of [...names.entries()].reverse()) {
      set({ [name]: `from-${index}` });
      expect(read()).toBe(`from-${index}`);
    }
    expect(read('given')).toBe('given');
  });

  test('a client app never reads server keys', () => {
    set({ TESSERA_SECRET_SERVER_KEY: 'ssk', TESSERA_SUPER_SECRET_ADMIN_KEY: 'sak' });
    const config = resolveConfig(given, 'server');
    expect([config.secretServerKey, config.superSecretAdminKey]).toEqual([undefined, undefined]);
  });

  test('an admin app with an owner session needs no keys', () => {
    const config = resolveConfig({ ...options, projectId: 'p', projectOwnerSession: {} as never }, 'server', adminKeys);
    expect(config.publishableClientKey).toBeUndefined();
  });

  test('without `process` every variable is unset', () => {
    vi.stubGlobal('process', undefined);
    try {
      expect(() => resolveConfig({ ...given, projectId: undefined } as AnyAppOptions, 'server')).toThrow(
        'NEXT_PUBLIC_TESSERA_PROJECT_ID',
      );
    } finally {
      // At once: Vitest itself uses `process` before the hooks run.
      vi.unstubAllGlobals();
    }
  });
});

test('extra headers come from the option, else from JSON in the environment, at every level', () => {
  set({ NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS: '{"x-a":"1"}' });
  const keys = { secretServerKey: 's' };
  expect(resolveConfig({ ...given, ...keys }, 'server', serverKeys).extraRequestHeaders).toEqual({ 'x-a': '1' });
  const extraRequestHeaders = { 'x-b': '2' };
  expect(resolveConfig({ ...given, extraRequestHeaders }, 'server').extraRequestHeaders).toEqual({
    'x-b': '2',
  });
});

test.each(['x-a: 1', 'null', '["x-a"]', '"x-a"'])('extra headers of the environment cannot be %s', text => {
  set({ TESSERA_EXTRA_REQUEST_HEADERS: text });
  expect(() => resolveConfig(given, 'server')).toThrow('EXTRA_REQUEST_HEADERS must be a JSON object of headers.');
});
