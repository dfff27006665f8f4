import { hasPgbouncer } from '@tessera/testing/pgbouncer';
import pg from 'pg';

/**
 * @typedef {object} Fault
 * @property {string} title
 * @property {number} seconds how long it lasts
 * @property {boolean} [hasPooler] the servers reach PostgreSQL through PgBouncer
 * @property {string} [missing] why it cannot be played on this machine
 * @property {(stage: import('./stage.mjs').Stage) => Promise<(() => Promise<unknown> | undefined) | undefined>} begin
 *   plays it, and gives what ends it
 */

/** @type {Record<string, Fault>} */
export const faults = {
  line: {
    title: 'The connections of one process for notices and jobs go dead without a reset',
    seconds: 20,
    begin: ({ first }) => swallow([first.line]),
  },
  pool: {
    title: 'The connections of one process for requests go dead without a reset',
    seconds: 20,
    begin: ({ first }) => swallow([first.pool]),
  },
  process: {
    title: 'All database connections of one process go dead without a reset',
    seconds: 20,
    begin: ({ first }) => swallow([first.pool, first.line]),
  },
  failover: {
    title: 'The database is unreachable for both processes for 4 s, as in a failover',
    seconds: 4,
    begin: ({ first, second }) => swallow([first.pool, first.line, second.pool, second.line]),
  },
  reset: {
    title: 'Every database connection is reset',
    seconds: 0,
    async begin({ first, second }) {
      for (const proxy of [first.pool, first.line, second.pool, second.line]) proxy.reset();
    },
  },
  'postgres-killed': {
    title: 'PostgreSQL is killed (`kill -9`) and starts again',
    seconds: 0,
    async begin({ postmaster }) {
      process.kill(await postmaster(), 'SIGKILL');
    },
  },
  'postgres-paused': {
    title: 'PostgreSQL is paused for 10 s',
    seconds: 10,
    async begin({ postgresProcesses }) {
      const pids = await postgresProcesses();
      signal(pids, 'SIGSTOP');
      return async () => signal(pids, 'SIGCONT');
    },
  },
  'read-only': {
    title: 'The database is read-only for 4 s',
    seconds: 4,
    begin: ({ setConfiguration }) => setConfiguration(['default_transaction_read_only = on']),
  },
  'too-many-connections': {
    title: 'Other programs take every connection of PostgreSQL for 4 s',
    seconds: 4,
    begin: takeConnections,
  },
  'disk-full': {
    title: 'Every write fails with 53100 (disk full) for 4 s; simulated by triggers',
    seconds: 4,
    begin: failWrites,
  },
  'tessera-killed': {
    title: 'One server process is killed (`kill -9`) and starts again after 3 s',
    seconds: 3,
    async begin({ first }) {
      await first.kill();
      return () => first.start();
    },
  },
  'rolling-restart': {
    title: 'Both server processes restart one after the other (SIGTERM)',
    seconds: 0,
    async begin({ first, second }) {
      for (const process of [first, second]) {
        await process.stop();
        await process.start();
      }
    },
  },
  'pgbouncer-restart': {
    title: 'PgBouncer is killed (`kill -9`) and starts again after 2 s',
    seconds: 2,
    hasPooler: true,
    missing: hasPgbouncer ? undefined : "PgBouncer is not installed (Debian's package pgbouncer)",
    async begin({ pgbouncer }) {
      await pgbouncer.kill();
      return () => pgbouncer.start();
    },
  },
};

async function swallow(proxies) {
  for (const proxy of proxies) proxy.blackhole();
  return () => Promise.all(proxies.map(proxy => proxy.resume()));
}

function signal(pids, name) {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // A backend may have ended in the meantime.
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** Opens connections until there are none left, and again those that the servers give up. */
async function takeConnections({ postgres, query }) {
  const taken = [];
  let isOver = false;
  const hold = async () => {
    const client = new pg.Client(postgres.connection);
    client.on('error', () => undefined);
    await client.connect();
    taken.push(client);
  };
  const fill = async () => {
    for (;;) await hold();
  };
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tessera%'`);
  const filling = (async () => {
    while (!isOver) await fill().catch(() => new Promise(resolve => setTimeout(resolve, 50)));
  })();
  return async () => {
    isOver = true;
    await filling;
    await Promise.all(taken.map(client => client.end()));
  };
}

/** A full disk needs a file system of its own, and that needs root; what the server gets from PostgreSQL is the same. */
async function failWrites({ query }) {
  await query(
    triggerFunction(`raise exception 'could not extend file: No space left on device' using errcode = '53100'`),
  );
  return () => query(triggerFunction('return null'));
}

/**
 * Puts a trigger that does nothing on every table. The fault replaces its function, which locks no table: triggers that
 * come and go under load would wait for running transactions.
 */
export async function prepareFailingWrites({ query }) {
  await query(triggerFunction('return null'));
  const tables = await query(`select tablename as name from pg_tables where schemaname = 'public'`);
  for (const { name } of tables) {
    await query(`create trigger drill before insert or update on ${name} for each statement execute function drill()`);
  }
}

function triggerFunction(statement) {
  return `create or replace function drill() returns trigger language plpgsql as $$ begin ${statement}; end $$`;
}
