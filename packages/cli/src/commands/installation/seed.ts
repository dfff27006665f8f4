import type { Transaction } from '@tessera/server';
import type { Command } from 'commander';
import type pg from 'pg';
import { type JsonOption, parseWholeNumber, withJson } from '../../command.ts';
import type { DatabaseOptions } from '../../database/database.ts';
import { type Io, note } from '../../io.ts';
import { print } from '../../output.ts';
import { assignOwner, importInto, readProjectId } from '../../transfer/import-into-database.ts';

type SeedOptions = JsonOption &
  DatabaseOptions & {
    readonly users: number;
    readonly name: string;
    readonly owner?: string;
    readonly projectId?: string;
  };

const defaultUsers = 5_000;
const maxUsers = 10_000_000;

export function addSeed(program: Command, io: Io): void {
  withJson(program.command('seed'))
    .summary('make a project with believable data')
    .description(
      'Makes a project of its own with users, teams, permissions, API keys, webhook endpoints, 60 days of activity and an audit log, to try the dashboard. Its users and keys cannot sign in. The owners of project internal get it, so it appears in their dashboard. Delete it like any other project. A server with an embedded database must be stopped first.',
    )
    .option('--users <number>', 'number of users', parseWholeNumber(1, maxUsers), defaultUsers)
    .option('--name <name>', 'display name of the project', 'Northwind')
    .option('--owner <user>', 'id or email address of the user of project internal who will own it')
    .option('--project-id <id>', 'id of the project, a UUID; default: a new one')
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((options: SeedOptions) => seedCommand(io, options));
}

async function seedCommand(io: Io, options: SeedOptions): Promise<void> {
  const { companyExport } = await import('../../seed/export.ts');
  const { logEmails } = await import('../../seed/emails.ts');
  const projectId = await readProjectId(options.projectId);
  const company = { users: options.users, name: options.name, nowMillis: Date.now() };
  const owners: string[] = [];
  await importInto(io, options, {
    projectId,
    source: companyExport(company),
    title: `Generating ${company.users} users`,
    vaultFor: async () => undefined,
    skipsApiKeys: false,
    finish: async (tx, client, secrets) => {
      await logEmails(tx, { company, projectId, secrets });
      owners.push(...(options.owner === undefined ? await ownersOfInternal(client) : [options.owner]));
      await assignOwners(tx, client, { owners, projectId });
    },
  });
  if (owners.length === 0) {
    await note(
      io,
      'No user owns the project yet. Become the owner in the dashboard, then run the command with --owner.',
    );
  }
  const { users, name } = company;
  const text = `Made project ${name} (${projectId}) with ${users} ${users === 1 ? 'user' : 'users'}.`;
  await print(io, options.json, { projectId, users }, text);
}

/** The users of `internal` who own `internal` itself. */
async function ownersOfInternal(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from users
     where project_id = 'internal' and server_metadata::jsonb -> 'managedProjectIds' ? 'internal'`,
  );
  return rows.map(({ id }) => id);
}

async function assignOwners(
  tx: Transaction,
  client: pg.Client,
  { owners, projectId }: { owners: readonly string[]; projectId: string },
): Promise<void> {
  for (const owner of owners) await assignOwner(tx, client, owner, projectId);
}
