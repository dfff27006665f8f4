import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { faketime, isRoot } from './programs.mjs';
import { makeNextRelease } from './release.mjs';

const fillChunk = Buffer.alloc(1024 * 1024);
const betweenKillsMs = 4_000;

/**
 * @typedef {object} Fault
 * @property {string} title
 * @property {number} seconds how long it lasts
 * @property {string} [missing] why it cannot be played on this machine
 * @property {(stage: import('./stage.mjs').Stage) => Promise<(() => Promise<unknown>) | undefined>} begin
 *   plays it, and gives what ends it
 */

/** @type {Record<string, Fault>} */
export const faults = {
  none: {
    title: 'None, for comparison',
    seconds: 10,
    begin: async () => undefined,
  },
  'servers-killed': {
    title: 'Each server process is killed (`kill -9`), one after the other, and starts again',
    seconds: 0,
    async begin({ servers }) {
      for (const server of servers) {
        await server.kill();
        await pause(betweenKillsMs);
        await server.start();
      }
    },
  },
  'rolling-upgrade': {
    title: 'Rolling restart with the next release, which brings a migration',
    seconds: 0,
    async begin(stage) {
      const main = await makeNextRelease(stage);
      for (const server of stage.servers) {
        await server.stop();
        await server.start({ main });
      }
    },
  },
  'primary-killed': {
    title: 'PostgreSQL of the primary is killed (`kill -9`); Patroni starts it again',
    seconds: 0,
    async begin({ cluster }) {
      await (await cluster.primary()).killPostgres();
    },
  },
  'primary-lost': {
    title: 'The machine of the primary is lost (`kill -9` of Patroni and PostgreSQL) and returns after 60 s',
    seconds: 60,
    async begin({ cluster }) {
      const primary = await cluster.primary();
      await primary.kill();
      return () => primary.start();
    },
  },
  switchover: {
    title: 'Planned switchover to the synchronous standby',
    seconds: 5,
    async begin({ cluster }) {
      const [primary, standby] = [await cluster.primary(), await cluster.standby()];
      const answer = await fetch(`http://127.0.0.1:${primary.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
      });
      if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
    },
  },
  partition: {
    title: 'The primary is cut off from everything for 60 s: no packet in or out, no reset',
    seconds: 60,
    async begin({ cluster }) {
      const primary = await cluster.primary();
      primary.cutOff();
      return () => primary.reconnect();
    },
  },
  'etcd-minority': {
    title: 'One of three members of etcd is killed and returns after 20 s',
    seconds: 20,
    async begin({ cluster: { etcd } }) {
      await etcd.kill(0);
      return () => etcd.start(0);
    },
  },
  'pgbouncer-restart': {
    title: 'PgBouncer is killed (`kill -9`) and starts again after 2 s',
    seconds: 2,
    async begin({ pgbouncer }) {
      await pgbouncer.kill();
      return () => pgbouncer.start();
    },
  },
  'disk-full': {
    title: 'The disk of the primary is full for 20 s',
    seconds: 20,
    missing: isRoot ? undefined : 'A small disk for each node needs root',
    async begin({ cluster }) {
      const file = join((await cluster.primary()).home, 'filler');
      await fill(file);
      return () => rm(file);
    },
  },
  'clock-jump': {
    title: 'The clock of one server process jumps an hour ahead for 15 s, and back',
    seconds: 15,
    missing: faketime === undefined ? "Debian's package libfaketime is missing" : undefined,
    async begin({ folder, servers: [server] }) {
      const file = join(folder, 'clock');
      const setClock = offset => writeFile(file, `${offset}\n`);
      await setClock('+0');
      await server.stop();
      await server.start({ environment: clockOf(file) });
      await setClock('+3600');
      return async () => {
        await setClock('+0');
        await pause(betweenKillsMs);
        await server.stop();
        await server.start();
      };
    },
  },
};

/** The settings of libfaketime. Like a real jump, it leaves the monotonic clock alone. */
const clockOf = file => ({
  LD_PRELOAD: faketime,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  DONT_FAKE_MONOTONIC: '1',
});

async function fill(path) {
  const file = await open(path, 'w');
  try {
    for (;;) await file.write(fillChunk);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}
