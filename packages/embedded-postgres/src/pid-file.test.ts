import { expect, test } from 'vitest';
import { isPostmaster, parsePidFile } from './pid-file.ts';

const cases = [
  {
    name: 'a server that is ready',
    text: '812\n/data\n1790000000\n5432\n/data/run\n\n  1234   56\nready   \n',
    expected: { pid: 812, socketDir: '/data/run', isReady: true },
  },
  {
    name: 'a server that is starting',
    text: '812\n/data\n1790000000\n5432\n/data/run\n\n  1234   56\nstarting\n',
    expected: { pid: 812, socketDir: '/data/run', isReady: false },
  },
  {
    name: 'a server that has only begun to write',
    text: '812\n/data\n',
    expected: { pid: 812, socketDir: '', isReady: false },
  },
  {
    name: 'a single-user server, whose number is negative',
    text: '-812\n/data\n1790000000\n5432\n\n\n',
    expected: { pid: 812, socketDir: '', isReady: false },
  },
  { name: 'an empty file', text: '', expected: undefined },
];

test.each(cases)('postmaster.pid of $name', ({ text, expected }) => {
  expect(parsePidFile(text)).toEqual(expected);
});

test('a process that is not PostgreSQL is not a postmaster', async () => {
  expect(await isPostmaster(process.pid, '/data')).toBe(false);
});
