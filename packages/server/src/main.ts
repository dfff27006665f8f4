import { setFlagsFromString } from 'node:v8';
import { readSettings, type Settings, SettingsError } from './env.ts';
import { logLibraryOutput } from './platform/observability/library-output.ts';
import { createLog, type Log } from './platform/observability/log.ts';
import { describeStartFailure } from './platform/start-failure.ts';
import { type RunningServer, run } from './server.ts';

/**
 * The growth of the heap, in percent of the live data, that triggers a full garbage collection. By default V8 lets the
 * heap triple on a machine with enough memory; the live data are 30 MB, so an earlier collection costs little.
 */
const heapGrowingPercent = 25;

/** Runs the server as a process: from the environment to a listening socket, until a signal arrives. */
async function start(): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const settings = readSettingsOrExit();
  const log = createLog({ level: settings.logLevel });
  logLibraryOutput(log);
  try {
    const server = await run(settings, log);
    stopOnSignal(server, log);
  } catch (error) {
    const sentence = describeStartFailure(error);
    if (sentence !== undefined) exitWithMessage(sentence);
    log.fatal({ error }, 'the server could not start');
    process.exit(1);
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

function exitWithMessage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
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
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

await start();
