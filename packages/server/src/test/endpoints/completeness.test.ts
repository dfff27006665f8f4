import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { endpoints } from '@tessera/protocol';
import { headersOf, readText } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../compose.ts';
import { openTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const routes = endpoints.map(({ method, path }) => `${method} ${path}`);

test('every endpoint of the table has one handler, and every handler an endpoint', () => {
  const bound = allRoutes(server.deps).map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
  expect(bound.sort()).toEqual([...routes].sort());
});

/** The errors of a key that does not fit the endpoint. */
const refusedKey = /ACCESS_TYPE|(?:CLIENT|SERVER|ADMIN)_AUTHENTICATION|_KEY$/;

describe('every endpoint is reachable by its path with a key of its level', () => {
  test.each(endpoints.map(one => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_, { method, path, access }) => {
      const filled = path.replaceAll(/\{\w+\}/g, '11111111-1111-4111-8111-111111111111');
      const headers = headersOf({ level: access === 'none' ? null : access });
      const response = await server.app(new Request(`http://localhost:4280/api/v1${filled}`, { method, headers }));
      const text = await readText(response);
      expect(response.status, text).toBeLessThan(500);
      expect(text).not.toMatch(/^(There is nothing at|\w+ is not possible on)/);
      expect(response.headers.get('x-stack-known-error') ?? '').not.toMatch(refusedKey);
    },
  );
});

/** Codes that one mechanism answers for many endpoints, and the feature that tests the mechanism. */
const sharedCodes: Readonly<Record<string, string>> = {
  CANNOT_GET_OWN_USER_WITHOUT_USER: 'features/accounts',
  EXPECTED_INTERNAL_PROJECT: 'features/projects',
  PASSWORD_REQUIREMENTS_NOT_MET: 'features/sign-in',
  REDIRECT_URL_NOT_WHITELISTED: 'features/sign-in',
  USER_AUTHENTICATION_REQUIRED: 'features/projects',
  VERIFICATION_CODE_ALREADY_USED: 'features/verification-codes',
  VERIFICATION_CODE_EXPIRED: 'features/verification-codes',
  VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: 'features/verification-codes',
  VERIFICATION_CODE_NOT_FOUND: 'features/verification-codes',
};

interface FeatureTests {
  readonly codes: ReadonlySet<string>;
  readonly paths: readonly RegExp[];
}

describe('every error code that an endpoint declares is expected by the tests of a feature that call the endpoint', () => {
  /** The test sources by `features/<name>`, or by another folder. */
  const sources = new Map<string, string>();
  let features: readonly FeatureTests[] = [];

  beforeAll(async () => {
    const folder = join(import.meta.dirname, '../..');
    const names = (await readdir(folder, { recursive: true })).map(name => name.replaceAll(sep, '/'));
    // Responses that several tests of a feature expect are in its fixtures.
    for (const name of names.filter(name => /\.(?:test|fixtures)\.ts$/.test(name))) {
      const feature = name.split('/').slice(0, 2).join('/');
      sources.set(feature, `${sources.get(feature) ?? ''}${await readFile(join(folder, name), 'utf8')}`);
    }
    features = [...sources.values()].map(source => ({ codes: codesIn(source), paths: pathsIn(source) }));
  });

  test.each(Object.entries(sharedCodes))('%s is expected by the tests of %s', (code, feature) => {
    expect(codesIn(sources.get(feature) ?? '')).toContain(code);
  });

  const declared = endpoints.flatMap(({ method, path, errors }) =>
    [...new Set(errors)].map(code => ({ code, method, path })),
  );
  test.each(declared.filter(({ code }) => !(code in sharedCodes)))('$code of $method $path', ({ code, path }) => {
    const isExpected = features.some(({ codes, paths }) => codes.has(code) && paths.some(one => one.test(path)));
    expect(isExpected).toBe(true);
  });
});

function codesIn(source: string): Set<string> {
  return new Set(source.match(/(?<=['"`])[A-Z][A-Z_]+(?=['"`])/g) ?? []);
}

/** The paths that a test calls, each as a pattern: a value in a template matches any text. */
function pathsIn(source: string): RegExp[] {
  const paths = source.matchAll(/['"`](?:(?:GET|POST|PUT|PATCH|DELETE|\$\{\w+\}) )?(\/[^'"`\s?]+)/g);
  return [...new Set([...paths].map(([, path = '']) => path))].map(path => {
    const parts = path.split(/\$\{[^}]*\}/).map(part => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^ ]+')}$`);
  });
}
