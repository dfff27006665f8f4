import type { Settings } from '../env.ts';
import type { Log } from '../platform/observability/log.ts';
import type { RunningServer } from '../running-server.ts';
import { run } from '../server.ts';
import { startWorkers } from './supervisor.ts';

/** Runs the server in this process, or with `TESSERA_WORKERS` in several. */
export function startServer(settings: Settings, log: Log): Promise<RunningServer> {
  return settings.workers === 1 ? run(settings, log) : startWorkers(settings, log);
}
