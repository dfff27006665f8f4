import type { Command } from 'commander';
import { type JsonOption, withJson } from '../../command.ts';
import { type DatabaseOptions, pendingMigrations, withClient, withDatabase } from '../../database/database.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output.ts';

type MigrateOptions = JsonOption & DatabaseOptions & { readonly dryRun?: boolean; readonly distributed?: boolean };

export function addMigrate(program: Command, io: Io): void {
  withJson(program.command('migrate'))
    .summary('update the database schema')
    .description(
      'Applies new migrations to the database of DATABASE_URL, otherwise to the embedded one. Servers do the same when they start. Run it before them when their database account may not change tables; docs/operations/connections.md lists the rights that it needs. It is safe to run twice, and in parallel.',
    )
    .option('--dry-run', 'only list the migrations')
    .option('--distributed', 'only print the SQL that distributes the tables by project on Citus; opens no database')
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((options: MigrateOptions) => migrate(io, options));
}

async function migrate(io: Io, options: MigrateOptions): Promise<void> {
  if (options.distributed === true) return printDistribution(io, options);
  const isDryRun = options.dryRun === true;
  await withDatabase(io, { ...options, mayBeNew: !isDryRun }, async ({ connection }) => {
    if (isDryRun) {
      const pending = await withClient(connection, pendingMigrations);
      return print(io, options.json, { pending }, listMigrations(pending, 'would be applied'));
    }
    const server = await import('@tessera/server');
    const progress = io.progress('Applying migrations');
    const { applied } = await server.migrate(connection).finally(() => progress.end());
    return print(io, options.json, { applied }, listMigrations(applied, 'was applied'));
  });
}

async function printDistribution(io: Io, { json }: JsonOption): Promise<void> {
  const { formatDistribution, planDistribution } = await import('@tessera/server');
  const plan = planDistribution();
  return print(io, json, plan, formatDistribution(plan));
}

function listMigrations(names: readonly string[], what: string): string {
  if (names.length === 0) return 'The database is up to date.';
  return names.map(name => `${name} ${what}`).join('\n');
}
