import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../env.ts';
import type { Log } from '../platform/observability/log.ts';
import { OperatorError } from '../platform/operator-error.ts';
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
  await assertCanListen(settings);
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

/**
 * Before the start makes a data folder, a database and the link of the first owner.
 *
 * @throws EADDRINUSE, and for a wrong address an OperatorError that names the setting
 */
async function assertCanListen({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    const problem = listenProblem(error as NodeJS.ErrnoException, host, port);
    throw problem === undefined ? error : new OperatorError(problem, { cause: error });
  }
  probe.close();
  await once(probe, 'close');
}

/** The failures that name no database: the same codes come from the connections to PostgreSQL. */
function listenProblem({ code }: NodeJS.ErrnoException, host: string, port: number): string | undefined {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
      return `HOST=${host} is no address of this machine. Set it to one, such as 127.0.0.1, 0.0.0.0 or ::1.`;
    case 'EACCES':
      return `This account may not listen on port ${port}. Set PORT to 1024 or more, and let a proxy take the lower port.`;
    default:
      return undefined;
  }
}
