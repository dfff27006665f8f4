import { expect, test } from 'vitest';
import { EmbeddedPostgresError, failureFromError, failureFromOutput } from './failures.ts';

const outputs = [
  { output: 'FATAL:  could not write lock file "postmaster.pid": No space left on device', code: 'DISK_FULL' },
  { output: 'initdb: error: could not create directory "/data": Permission denied', code: 'NO_PERMISSION' },
  { output: 'initdb: error: could not create directory "/data": Read-only file system', code: 'NO_PERMISSION' },
  { output: 'initdb: could not look up effective user ID 7: user does not exist', code: 'UNKNOWN_ACCOUNT' },
  { output: 'FATAL:  could not load /data/pg_hba.conf', code: 'START_FAILED' },
];

test.each(outputs)('$output is $code', ({ output, code }) => {
  expect(failureFromOutput(output, '/data')).toMatchObject({ code });
});

test('the output of PostgreSQL is part of the message of an unknown failure', () => {
  expect(failureFromOutput('FATAL:  odd\n', '/data').message).toBe(
    'PostgreSQL does not start on /data. Its output:\nFATAL:  odd',
  );
});

const errnos = [
  { errno: 'ENOSPC', code: 'DISK_FULL' },
  { errno: 'EDQUOT', code: 'DISK_FULL' },
  { errno: 'EACCES', code: 'NO_PERMISSION' },
  { errno: 'EROFS', code: 'NO_PERMISSION' },
  { errno: 'EEXIST', code: 'NOT_A_FOLDER' },
  { errno: 'ENOTDIR', code: 'NOT_A_FOLDER' },
];

test.each(errnos)('a system error $errno is $code', ({ errno, code }) => {
  const cause = Object.assign(new Error(errno), { code: errno });
  expect(failureFromError(cause, '/data')).toMatchObject({ code, cause });
});

test('a folder that may not be written names both settings that lead around it', () => {
  const cause = Object.assign(new Error('read-only file system'), { code: 'EROFS', path: '/data' });
  const failure = failureFromError(cause, '/data');
  for (const setting of ['TESSERA_DATA_DIR', 'DATABASE_URL']) {
    expect(failure).toMatchObject({ message: expect.stringContaining(setting) });
  }
});

test('other errors, also EmbeddedPostgresError, are returned unchanged', () => {
  const other = new RangeError('other');
  const ours = new EmbeddedPostgresError('IN_USE', 'in use');
  expect([failureFromError(other, '/data'), failureFromError(ours, '/data')]).toEqual([other, ours]);
});
