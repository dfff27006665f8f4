import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from '@tessera/embedded-postgres';
import { expect, test } from 'vitest';
import { SettingsError } from '../env.ts';
import { OperatorError } from './operator-error.ts';
import { describeStartFailure } from './start-failure.ts';

const systemError = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

test.each([
  ['the settings are wrong', new SettingsError(['PORT is no port.']), 'PORT is no port.'],
  ['the data folder is in use', new EmbeddedPostgresError('IN_USE', 'The folder is in use.'), 'The folder is in use.'],
  ['the schema is newer', new OperatorError('Use a newer version.'), 'Use a newer version.'],
  [
    'the file system is read-only',
    systemError('EROFS', { path: '/data/keys.json' }),
    '/data/keys.json is on a read-only',
  ],
  ['a file belongs to another account', systemError('EACCES', { path: '/data' }), 'may not use /data'],
  ['the disk is full', systemError('ENOSPC', { path: '/data' }), 'The disk that holds /data is full'],
  ['the port is taken', systemError('EADDRINUSE', { port: 4280 }), 'Port 4280 is in use'],
  ['the database refuses the password', systemError('28P01'), 'The database refuses the password (28P01).'],
  ['the database does not exist', systemError('3D000'), 'There is no such database'],
  ['the certificate of the database is unknown', systemError('SELF_SIGNED_CERT_IN_CHAIN'), 'sslrootcert='],
  ['the database has no TLS', new Error('The server does not support SSL connections'), 'the database has none'],
])('a start that fails because %s prints a sentence', (_, error, sentence) => {
  const printed = describeStartFailure(error);
  expect(printed).toContain(sentence);
  expect(printed).not.toContain('    at ');
});

test('a start on a port that is in use prints the port', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => holder.once('listening', resolve));
  const { port } = holder.address() as { port: number };
  const second = createServer().listen(port, '127.0.0.1');
  const error = await new Promise(resolve => second.once('error', resolve));
  holder.close();
  expect(describeStartFailure(error)).toContain(`Port ${port} is in use`);
});

test('an unknown failure of the start has no message of its own', async () => {
  const missing = await readFile('/no/such/file').catch((error: unknown) => error);
  expect([describeStartFailure(new TypeError('x')), describeStartFailure(missing), describeStartFailure('x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
