import type { Command } from 'commander';
import { parseWholeNumber } from '../../command.ts';
import { type Io, waitForAbort } from '../../io.ts';

interface StartOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly workers?: string;
}

export function addStart(program: Command, io: Io): void {
  program
    .command('start')
    .summary('run the server')
    .description(
      'Runs the server until you stop it (Ctrl-C, SIGTERM). All settings are environment variables. Without DATABASE_URL it runs an embedded PostgreSQL in the data folder.',
    )
    .option('--port <number>', 'port to listen on (PORT)', parseWholeNumber(0, 65_535))
    .option('--data-dir <folder>', 'folder of database, secret and generated keys (TESSERA_DATA_DIR)')
    .option('--workers <number>', 'processes that share the port; auto: one for each core (TESSERA_WORKERS)')
    .action((options: StartOptions) => start(io, options));
}

async function start(io: Io, { port, dataDir, workers }: StartOptions): Promise<void> {
  const { createLog, readSettings, startServer } = await import('@tessera/server/start');
  const settings = readSettings({
    ...io.env,
    ...(port !== undefined && { PORT: String(port) }),
    ...(dataDir !== undefined && { TESSERA_DATA_DIR: dataDir }),
    ...(workers !== undefined && { TESSERA_WORKERS: workers }),
  });
  const log = createLog({ level: settings.logLevel, destination: io.stdout });
  const server = await startServer(settings, log, io.signal).catch(error => {
    if (error === io.signal.reason) return undefined;
    throw error;
  });
  if (server === undefined) return;
  const failure = await Promise.race([
    waitForAbort(io.signal),
    ...(server.failed === undefined ? [] : [server.failed]),
  ]);
  log.info('stopping');
  await server.stop();
  if (failure !== undefined) throw failure;
}
