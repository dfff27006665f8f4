import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../env.ts';
import type { Log } from '../platform/observability/log.ts';
import type { RunningServer } from '../running-server.ts';
import { openServerDatabase } from '../server-database.ts';
import { startWorkers } from './supervisor.ts';

/** Runs the server in this process, or with `TESSERA_WORKERS` in several. */
export async function startServer(settings: Settings, log: Log): Promise<RunningServer> {
  const startedAtMs = performance.now();
  await assertPortIsFree(settings);
  if (settings.workers !== 1) return startWorkers(settings, log);
  // The embedded PostgreSQL starts while most of the code is loaded, each of which takes a third of a second.
  const [database, { run }] = await Promise.all([openServerDatabase(settings, log), import('../server.ts')]);
  return run(settings, log, { database, startedAtMs });
}

/** Before the start makes a data folder, a database and the link of the first owner. @throws EADDRINUSE */
async function assertPortIsFree({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
