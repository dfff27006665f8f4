import type { Command } from 'commander';
import { wholeNumber } from '../command.ts';
import { type Io, stopped } from '../io.ts';

interface StartOptions {
  readonly port?: number;
  readonly dataDir?: string;
}

export function addStart(program: Command, io: Io): void {
  program
    .command('start')
    .summary('run the server')
    .description(
      'Runs the server until it is told to stop (Ctrl-C, SIGTERM). Everything is set by the environment; without DATABASE_URL it runs on a PostgreSQL of its own in the data folder.',
    )
    .option('--port <number>', 'where to listen (PORT)', wholeNumber(0, 65_535))
    .option('--data-dir <folder>', 'database, secret and generated keys (TESSERA_DATA_DIR)')
    .action((options: StartOptions) => start(io, options));
}

async function start(io: Io, { port, dataDir }: StartOptions): Promise<void> {
  const { createLog, readSettings, run } = await import('@tessera/server');
  const settings = readSettings({
    ...io.env,
    ...(port !== undefined && { PORT: String(port) }),
    ...(dataDir !== undefined && { TESSERA_DATA_DIR: dataDir }),
  });
  const log = createLog({ level: settings.logLevel, destination: io.stdout });
  const server = await run(settings, log);
  await stopped(io.signal);
  log.info('stopping');
  await server.stop();
}
