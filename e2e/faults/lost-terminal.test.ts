import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { freePort } from '@tessera/testing/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../support/root.ts';

const program = join(root, 'packages/cli/bin/tessera.js');

/** Starts `tessera start` with an embedded database, and waits until it listens. */
async function startListening(): Promise<{ server: ChildProcess; address: string; ended: Promise<unknown[]> }> {
  const [dataDir, port] = [await makeDataFolder(), await freePort()];
  const server = spawn(process.execPath, [program, 'start'], {
    env: {
      PATH: process.env.PATH,
      TESSERA_MODE: 'development',
      TESSERA_LOG_LEVEL: 'debug',
      TESSERA_DATA_DIR: dataDir,
      PORT: `${port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    server.kill('SIGTERM');
    await ended;
    await removeDataFolder(dataDir);
  });
  for await (const text of server.stdout.iterator({ destroyOnReturn: false })) {
    if (String(text).includes('"listening"')) break;
  }
  return { server, address: `http://127.0.0.1:${port}`, ended };
}

test('a server whose log has no reader any more goes on serving, and stops in order', async () => {
  const { server, address, ended } = await startListening();
  server.stdout?.destroy();
  server.stderr?.destroy();
  // Each request writes a line to the log.
  for (let count = 0; count < 3; count++) {
    const { status } = await fetch(`${address}/api/v1/projects/current`);
    expect(status).toBe(400);
  }
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a server whose terminal is closed stops in order', async () => {
  const { server, ended } = await startListening();
  server.kill('SIGHUP');
  expect(await ended).toEqual([0, null]);
});
