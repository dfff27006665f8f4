import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { startTcpProxy } from '../../packages/server/src/test/tcp-proxy.mjs';

const program = '/usr/sbin/pgbouncer';

export const hasPgbouncer = existsSync(program);

/** PgBouncer refuses to run as root, so root starts it as `nobody`. */
const nobodyId = 65_534;

/** PgBouncer in transaction mode in front of a socket; it can be killed and started again. */
export async function startPgbouncer(target) {
  const account = userInfo().uid === 0 ? { uid: nobodyId, gid: nobodyId } : {};
  const folder = await mkdtemp(join(tmpdir(), 'drill-pgbouncer-'));
  const proxy = await startTcpProxy({ target });
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${proxy.port} user=tessera`,
    '[pgbouncer]',
    `unix_socket_dir = ${folder}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 8',
  ];
  await writeFile(file, settings.join('\n'));
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid);
  let child;

  async function start() {
    child = spawn(program, [file], { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.resume();
    for (let seen = ''; !seen.includes('process up'); ) seen += String((await once(child.stderr, 'data'))[0]);
  }

  async function kill() {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(join(folder, '.s.PGSQL.6432'), { force: true });
  }

  await start();
  return {
    socket: { path: join(folder, '.s.PGSQL.6432') },
    start,
    kill,
    async stop() {
      await kill();
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
