import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readLogins, removeLogin, saveLogin } from './logins.ts';
import { temporaryFolder } from './test/folders.ts';

/** No server listens there, so a logout only changes the file. */
const apiUrl = 'http://127.0.0.1:1';
const program = fileURLToPath(new URL('../bin/tessera.js', import.meta.url));

const loginOf = (number: number) => ({
  apiUrl,
  projectId: `p${number}`,
  publishableClientKey: 'k',
  refreshToken: 't'.repeat(45),
});

function folderWithLogins(count: number): string {
  const folder = temporaryFolder();
  const logins = Array.from({ length: count }, (_, number) => loginOf(number));
  writeFileSync(join(folder, 'logins.json'), JSON.stringify({ logins }));
  return folder;
}

/** @param shell what the shell does before it starts the program */
function logOut(folder: string, number: number, shell = ':') {
  const args = [process.execPath, program, 'logout', '--api-url', apiUrl, '--project', `p${number}`];
  const env = { PATH: process.env.PATH, TESSERA_CONFIG_DIR: folder };
  return promisify(execFile)('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...args], { env, cwd: folder });
}

test('of logouts at the same time, none brings back the login that another one deleted', async () => {
  const folder = folderWithLogins(8);
  await Promise.all(Array.from({ length: 8 }, (_, number) => logOut(folder, number)));
  expect(readdirSync(folder)).toEqual([]);
});

test('a login file that does not fit on the disk stays as it is, and no draft of it is left', async () => {
  const folder = folderWithLogins(30);
  const before = readFileSync(join(folder, 'logins.json'), 'utf8');
  // A write ends after 4096 bytes, as on a full disk.
  await expect(logOut(folder, 3, 'ulimit -f 8')).rejects.toMatchObject({ code: 1 });
  expect(readdirSync(folder)).toEqual(['logins.json']);
  expect(readFileSync(join(folder, 'logins.json'), 'utf8')).toBe(before);
});

test('the lock of a process that was killed does not keep others from the logins', () => {
  const folder = folderWithLogins(1);
  const lock = join(folder, 'logins.json.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 0, 0);
  saveLogin(folder, loginOf(1));
  expect(readLogins(folder)).toHaveLength(2);
  removeLogin(folder, loginOf(0));
  removeLogin(folder, loginOf(1));
  expect(readdirSync(folder)).toEqual([]);
});
