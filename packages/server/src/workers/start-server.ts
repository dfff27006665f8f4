import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../env.ts';
import type { Log } from '../platform/observability/log.ts';
import type { RunningServer } from '../running-server.ts';
import { openServerDatabase } from '../server-database.ts';

/**
 * Runs the server in this process, or with `TESSERA_WORKERS` in several.
 *
 * @param signal ends a start that waits for the database or migrates. A start that is past that completes, and the
 *   caller stops the server.
 * @throws the reason of `signal` when it ended the start; nothing runs any more then
 */
export async function startServer(settings: Settings, log: Log, signal: AbortSignal): Promise<RunningServer> {
  const startedAtMs = performance.now();
  await assertPortIsFree(settings);
  if (settings.hasSupervisor) {
    const { startWorkers } = await import('./supervisor.ts');
    return startWorkers(settings, log, { signal });
  }
  // The call that awaits the code reports a failure.
  const database = await openServerDatabase(settings, log, () => loadServer().catch(() => undefined));
  const { run } = await loadServer();
  return run(settings, log, { database, startedAtMs, signal });
}

/**
 * Loads most of the code once. Loading occupies this thread for a third of a second, so it begins when the embedded
 * PostgreSQL runs on its own.
 */
function loadServer(): Promise<typeof import('../server.ts')> {
  return import('../server.ts');
}

/** Before the start makes a data folder, a database and the link of the first owner. @throws EADDRINUSE */
async function assertPortIsFree({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
