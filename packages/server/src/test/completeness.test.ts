import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@tessera/protocol';
import { headersOf, readText } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../compose.ts';
import { openTestServer, type TestServer } from './harness.ts';

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

describe('every error code that an endpoint declares is expected by a test', () => {
  const codes = [...new Set(endpoints.flatMap(endpoint => endpoint.errors))].sort();
  let expected: Set<string>;

  beforeAll(async () => {
    const folder = join(import.meta.dirname, '..');
    const names = await readdir(folder, { recursive: true });
    // Responses that several tests of a feature expect are in its fixtures.
    const tests = names.filter(name => /\.(?:test|fixtures)\.ts$/.test(name));
    const sources = await Promise.all(tests.map(name => readFile(join(folder, name), 'utf8')));
    expected = new Set(sources.flatMap(source => source.match(/(?<=['"`])[A-Z][A-Z_]+(?=['"`])/g) ?? []));
  });

  test.each(codes)('%s', code => {
    expect(expected).toContain(code);
  });
});
