import type { Command } from 'commander';
import { type JsonOption, withJson } from '../command.ts';
import { type DatabaseOptions, pendingMigrations, withClient, withDatabase } from '../database.ts';
import type { Io } from '../io.ts';
import { print } from '../output.ts';

type MigrateOptions = JsonOption & DatabaseOptions & { readonly dryRun?: boolean };

export function addMigrate(program: Command, io: Io): void {
  withJson(program.command('migrate'))
    .summary('bring the database up to date')
    .description(
      'Applies what is new in the schema to the database of DATABASE_URL, else to the embedded one. Servers do the same when they start; run it before them where their account may not change tables. Safe to run twice, and at the same time.',
    )
    .option('--dry-run', 'only list what would be applied')
    .option('--data-dir <folder>', 'of the embedded database (TESSERA_DATA_DIR)')
    .action((options: MigrateOptions) => migrate(io, options));
}

async function migrate(io: Io, options: MigrateOptions): Promise<void> {
  const isDryRun = options.dryRun === true;
  await withDatabase(io, { ...options, mayBeNew: !isDryRun }, async ({ connection }) => {
    if (isDryRun) {
      const pending = await withClient(connection, pendingMigrations);
      return print(io, options.json, { pending }, lines(pending, 'would be applied'));
    }
    const server = await import('@tessera/server');
    const progress = io.progress('Bringing the database up to date');
    const { applied } = await server.migrate(connection).finally(() => progress.end());
    return print(io, options.json, { applied }, lines(applied, 'was applied'));
  });
}

function lines(names: readonly string[], what: string): string {
  if (names.length === 0) return 'The database is up to date.';
  return names.map(name => `${name} ${what}`).join('\n');
}
