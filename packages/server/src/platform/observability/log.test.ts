import { describe, expect, test } from 'vitest';
import { createLog, redactText } from './log.ts';

const secret = 'y3w6nq8r1c5m7t9b2d4f6h8k0p3s5v7x9z1a2c4e6g8jm';
const token = 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImFiYyJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x';

/** The logged entry without its time. */
function written(entry: object, message = 'text'): Record<string, unknown> {
  const lines: string[] = [];
  createLog({ level: 'trace', destination: { write: line => void lines.push(line) } }).info(entry, message);
  const { time, ...rest } = JSON.parse(lines.join('')) as Record<string, unknown>;
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return rest;
}

test('an entry is one line of JSON', () => {
  expect(written({ port: 4280 }, 'listening')).toEqual({ level: 'info', port: 4280, msg: 'listening' });
});

describe('control 96: values of secret names are removed', () => {
  test.each([
    'password',
    'password_hash',
    'old_password',
    'new_password',
    'code',
    'nonce',
    'totp_secret_base64',
    'access_token',
    'refresh_token',
    'client_secret',
    'authorization',
    'cookie',
    'accessToken',
    'refreshToken',
    'passwordHash',
    'secretServerKey',
    'superSecretAdminKey',
    'publishableClientKey',
    'x-stack-access-token',
    'x-stack-refresh-token',
    'x-stack-secret-server-key',
    'x-stack-super-secret-admin-key',
  ])('%s', name => {
    expect(JSON.stringify(written({ [name]: 'hunter2' }))).not.toContain('hunter2');
    expect(JSON.stringify(written({ body: { [name]: 'hunter2' } }))).not.toContain('hunter2');
  });

  test.each<[string, (inner: object) => object]>([
    ['two levels down', inner => ({ request: { body: inner } })],
    ['three levels down', inner => ({ error: { request: { body: inner } } })],
    ['five levels down', inner => ({ a: { b: { c: { d: inner } } } })],
    ['in a list', inner => ({ bodies: [inner] })],
    ['beside an error', inner => ({ error: Object.assign(new Error('failed'), { request: inner }) })],
  ])('%s', (_, place) => {
    expect(JSON.stringify(written(place({ password: 'hunter2' })))).not.toContain('hunter2');
  });
});

describe('control 96: text in the form of a secret is hidden', () => {
  test.each([
    ['an access token', token],
    ['a refresh token or code', secret],
    ['a publishable key', `pck_${secret}`],
    ['a server key', `ssk_${secret}`],
    ['an admin key', `sak_${secret}`],
    ['a password hash', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'],
    ['an imported hash', '$2b$10$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('%s', (_, text) => {
    const places = [
      { note: `begin ${text} end` },
      { error: new Error(`begin ${text} end`) },
      { deep: [{ x: [text] }] },
    ];
    for (const place of places) expect(JSON.stringify(written(place))).not.toContain(text);
    expect(JSON.stringify(written({}, `begin ${text} end`))).not.toContain(text);
    expect(redactText(`begin ${text} end`)).toBe('begin [hidden] end');
  });

  test('in the cause of an error', () => {
    const error = new Error('outer', { cause: new Error(`inner ${secret}`) });
    expect(JSON.stringify(written({ error }))).not.toContain(secret);
  });

  test('in a request URL', () => {
    expect(redactText(`GET /api/v1/x?code=${secret}&b=1`)).toBe('GET /api/v1/x?code=[hidden]&b=1');
  });
});

describe('text that stays readable', () => {
  test.each([
    ['a user id', '3241a285-8329-4d69-8f3d-316e08cf140c'],
    ['a request id', 'y3w6nq8r1c5m7t9b'],
    ['a route', 'POST /auth/sessions/current/refresh'],
    ['a place in a file', 'at run (file:///srv/tessera/packages/server/src/server.ts:49:5)'],
  ])('%s', (_, text) => {
    expect(redactText(text)).toBe(text);
  });

  test('a line stays valid JSON after secrets are hidden', () => {
    const entry = { quoted: `"${secret}"`, mail: 'to "ada@example.com"', slashes: `\\${token}\\` };
    expect(written(entry)).toEqual({
      level: 'info',
      quoted: '"[hidden]"',
      mail: 'to "a…@example.com"',
      slashes: '\\[hidden]\\',
      msg: 'text',
    });
  });
});

test('the code of an error stays readable', () => {
  const error = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
  expect(written({ error })).toMatchObject({ error: { message: 'connect failed', code: 'ECONNREFUSED' } });
});

test('control 96: the connection that the driver attaches to an error is not logged', () => {
  const error = Object.assign(new Error('terminated'), { client: { secretKey: 17, parsedStatements: {} } });
  expect(written({ error })).toEqual({
    level: 'info',
    error: { type: 'Error', message: 'terminated', stack: expect.any(String) },
    msg: 'text',
  });
});

test('control 96: addresses are masked', () => {
  const entry = { error: new Error('Key (email)=(ada.lovelace@example.com) already exists.'), to: 'b@localhost' };
  const line = JSON.stringify(written(entry));
  expect(line).toContain('a…@example.com');
  expect(line).toContain('b…@localhost');
  expect(line).not.toContain('lovelace');
});
