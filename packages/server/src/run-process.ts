import { readSettings, type Settings, SettingsError } from './env.ts';
import { logLibraryOutput } from './platform/observability/library-output.ts';
import { createLog, type Log } from './platform/observability/log.ts';
import { describeStartFailure } from './platform/start-failure.ts';
import type { RunningServer } from './running-server.ts';
import { exitAfterFailure, exitWithMessage, limitHeap } from './workers/process.ts';
import { startServer } from './workers/start-server.ts';

/** Runs the server as a process: from the environment to a listening socket, until a signal arrives. */
export async function runProcess(): Promise<void> {
  limitHeap();
  const settings = readSettingsOrExit();
  const log = createLog({ level: settings.logLevel });
  logLibraryOutput(log);
  try {
    const server = await startServer(settings, log);
    stopOnSignal(server, log);
  } catch (error) {
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

function stopOnSignal(server: RunningServer, log: Log): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
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
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}
