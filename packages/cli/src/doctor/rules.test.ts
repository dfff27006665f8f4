import { expect, test } from 'vitest';
import {
  clockFinding,
  databaseVersionFinding,
  migrationsFinding,
  nodeVersionFinding,
  publicUrlFinding,
  requestHeadersFinding,
  responseHeadersFinding,
  trustedProxyFinding,
} from './rules.ts';

test.each([
  ['https://a.example', 'https://a.example', 'ok', undefined],
  ['https://a.example', 'http://a.example', 'wrong', 'TESSERA_PUBLIC_URL=https://a.example'],
  ['https://a.example', 'https://b.example', 'wrong', 'TESSERA_PUBLIC_URL=https://a.example'],
  ['http://localhost:4280', 'http://127.0.0.1:4280', 'wrong', 'TESSERA_PUBLIC_URL=http://localhost:4280'],
  ['https://a.example', 'https://a.example/auth', 'wrong', 'TESSERA_PUBLIC_URL=https://a.example'],
])('the address %s with the public URL %s is %s', (reached, own, status, fix) => {
  expect(publicUrlFinding(reached, own)).toMatchObject({ status, ...(fix !== undefined && { fix }) });
});

test('a public URL with the wrong scheme is reported as such', () => {
  expect(publicUrlFinding('https://a.example', 'http://a.example').message).toContain('wrong scheme');
});

test.each([
  [0, 0, 'ok'],
  [31_000, 0, 'ok'],
  [31_001, 0, 'wrong'],
  [-31_001, 0, 'wrong'],
  [40_000, 10_000, 'ok'],
  [-3_600_000, 500, 'wrong'],
])('a clock that is %i ms ahead, with an uncertainty of %i, is %s', (skew, uncertainty, status) => {
  expect(clockFinding(skew, uncertainty).status).toBe(status);
});

test.each([
  ['http://localhost:4280', undefined, 'skipped'],
  ['https://a.example', undefined, 'warning'],
  ['https://a.example', '0', 'warning'],
  ['https://a.example', '1', 'ok'],
  ['http://a.internal', '2', 'ok'],
  ['http://localhost:4280', 'yes', 'skipped'],
])('the address %s with %s trusted proxies is %s', (apiUrl, hops, status) => {
  expect(trustedProxyFinding(apiUrl, hops).status).toBe(status);
});

test('responses over https without strict-transport-security are reported', () => {
  const headers = new Headers({
    'x-stack-request-id': 'r',
    date: 'd',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'date',
  });
  expect(responseHeadersFinding(headers, false).status).toBe('ok');
  expect(responseHeadersFinding(headers, true).status).toBe('wrong');
  headers.set('strict-transport-security', 'max-age=1');
  expect(responseHeadersFinding(headers, true).status).toBe('ok');
  headers.delete('date');
  expect(responseHeadersFinding(headers, true)).toMatchObject({
    status: 'wrong',
    message: expect.stringContaining('date'),
  });
});

test('the greeting of the API shows whether request headers arrived', () => {
  expect(requestHeadersFinding('Authentication: Client\n  Project: p1\n', 'p1').status).toBe('ok');
  expect(requestHeadersFinding('Authentication: None\n', 'p1').status).toBe('wrong');
});

test.each([
  [180_000, 'ok'],
  [150_004, 'ok'],
  [140_011, 'wrong'],
])('PostgreSQL version %i is %s', (version, status) => {
  expect(databaseVersionFinding(version).status).toBe(status);
});

test('pending migrations are counted', () => {
  expect(migrationsFinding([]).status).toBe('ok');
  expect(migrationsFinding(['0001-a.sql', '0002-b.sql'])).toMatchObject({ status: 'wrong', fix: 'tessera migrate' });
  expect(migrationsFinding(['0001-a.sql']).message).toBe('1 migration is not applied. The first is 0001-a.sql.');
});

test.each([
  ['20.20.2', '2026-04-29', 'ok'],
  ['20.20.2', '2026-04-30', 'warning'],
  ['25.1.0', '2026-11-22', 'warning'],
  ['99.0.0', '2026-11-22', 'ok'],
])('Node.js %s on %s is %s', (version, day, status) => {
  expect(nodeVersionFinding(version, Date.parse(day))).toMatchObject({ name: 'Node.js', status });
});
