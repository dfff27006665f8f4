import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@tessera/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../features.ts';
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

describe('every endpoint is reachable by its path', () => {
  test.each(endpoints.map(one => [`${one.method} ${one.path}`, one] as const))('%s', async (_, { method, path }) => {
    const filled = path.replaceAll(/\{\w+\}/g, '11111111-1111-4111-8111-111111111111');
    const response = await server.app(new Request(`http://localhost:4280/api/v1${filled}`, { method }));
    const text = await response.text();
    expect(text).not.toMatch(/^(There is nothing at|\w+ is not possible on)/);
  });
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
