import { chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@tessera/testing/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './test/folders.ts';
import { openTerminal } from './test/terminal.ts';

/** The keys that a server of an attacker received. */
const received: string[] = [];
const attacker = createServer((request, response) => {
  received.push(String(request.headers['x-stack-secret-server-key']));
  response.end('{"status":"ok"}');
});
let port: number;
beforeAll(async () => {
  port = await freePort();
  await new Promise<void>(resolve => attacker.listen(port, '127.0.0.1', resolve));
});
afterAll(() => void attacker.close());

const keys = { publishableClientKey: 'pck_x', secretServerKey: 'ssk_x', superSecretAdminKey: 'sak_x' };
const secret = { TESSERA_SECRET_SERVER_KEY: 'ssk_of_the_environment' };

/** A folder with the key file of a server. */
function folderWithKeys(url: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.tessera'));
  const content = { url, demo: 'demo', internal: 'internal', projects: { demo: keys } };
  writeFileSync(join(folder, '.tessera', 'keys.json'), JSON.stringify(content));
  return folder;
}

test('keys of the environment are not sent to a server that only a key file names', async () => {
  const cwd = folderWithKeys('https://attacker.example.com');
  const terminal = openTerminal(secret, { cwd });
  expect(await terminal.run('users', 'list')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('To send TESSERA_SECRET_SERVER_KEY to it, pass --api-url, or set TESSERA_API_URL.'),
  });
});

test('a key file may name a server on this machine', async () => {
  const cwd = folderWithKeys(`http://127.0.0.1:${port}`);
  await openTerminal(secret, { cwd }).run('users', 'list');
  expect(received).toContain(secret.TESSERA_SECRET_SERVER_KEY);
});

// Only root can give a folder to another user.
test.runIf(process.getuid?.() === 0)(
  'a data folder of another user above the current folder is passed over',
  async () => {
    const shared = folderWithKeys(`http://127.0.0.1:${port}`);
    const cwd = join(shared, 'project');
    mkdirSync(cwd);
    const found = () => openTerminal({}, { cwd }).run('whoami');
    expect((await found()).stderr).toContain(`at http://127.0.0.1:${port}`);
    chownSync(join(shared, '.tessera'), 4711, 4711);
    expect(await found()).toMatchObject({ code: 2, stderr: expect.stringContaining('Which server?') });
    // In a folder of that user it is the folder's own.
    chownSync(cwd, 4711, 4711);
    expect((await found()).stderr).toContain(`at http://127.0.0.1:${port}`);
  },
);

// Only root can give a link to another user.
test.runIf(process.getuid?.() === 0)('a link of another user to a folder of this user is passed over', async () => {
  const shared = temporaryFolder();
  const target = folderWithKeys(`http://127.0.0.1:${port}`);
  const cwd = join(shared, 'project');
  mkdirSync(cwd);
  symlinkSync(join(target, '.tessera'), join(shared, '.tessera'));
  const found = () => openTerminal({}, { cwd }).run('whoami');
  expect((await found()).stderr).toContain(`at http://127.0.0.1:${port}`);
  lchownSync(join(shared, '.tessera'), 4711, 4711);
  expect(await found()).toMatchObject({ code: 2, stderr: expect.stringContaining('Which server?') });
});
