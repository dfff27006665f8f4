import { readSettings, type Settings, SettingsError } from './env.ts';
import { logLibraryOutput } from './platform/observability/library-output.ts';
import { createLog, type Log } from './platform/observability/log.ts';
import { describeStartFailure } from './platform/start-failure.ts';
import type { RunningServer } from './running-server.ts';
import { exitAfterFailure, exitWithMessage, limitHeapGrowth, stopSignals } from './workers/process.ts';
import { startServer } from './workers/start-server.ts';

/** Runs the server as a process: from the environment to a listening socket, until a signal arrives. */
export async function runProcess(): Promise<void> {
  limitHeapGrowth();
  const settings = readSettingsOrExit();
  const log = createLog({ level: settings.logLevel });
  logLibraryOutput(log);
  const signal = listenForStop(log);
  try {
    const server = await startServer(settings, log, signal);
    stopOnAbort(server, log, signal);
  } catch (error) {
    if (error === signal.reason) process.exit(0);
    exitAfterFailure(error, log);
  }
}

function readSettingsOrExit(): Settings {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    exitWithMessage(describeStartFailure(error) ?? error.message);
  }
}

/** Listens from before the start, because a process that a signal ends leaves the embedded PostgreSQL behind. */
function listenForStop(log: Log): AbortSignal {
  const stop = new AbortController();
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (stop.signal.aborted) return;
      log.info({ signal }, 'stopping');
      stop.abort();
    });
  }
  return stop.signal;
}

function stopOnAbort(server: RunningServer, log: Log, signal: AbortSignal): void {
  const stop = () => {
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  server.failed?.then(async error => {
    log.fatal({ error }, 'the workers failed');
    await server.stop();
    process.exit(1);
  });
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
}
