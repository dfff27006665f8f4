import type { Secrets } from '@tessera/server';
import type pg from 'pg';
import { Failure } from '../failure.ts';
import { columnList, columnsOf, quoteName } from './columns.ts';
import { formatName, formatVersion, plainLine, rowLine } from './format.ts';
import { decryptAt, splitConfig } from './project-secrets.ts';
import { type EncryptedColumn, type ExportedTable, exportedTables, type Row, selectedTeams } from './tables.ts';
import type { Vault } from './vault.ts';

export interface ExportOptions {
  readonly projectId: string;
  /** Encrypts the secrets. Undefined: secrets are left out. */
  readonly vault: Vault | undefined;
  /** The secrets of the installation, loaded when something must be decrypted. */
  readonly secrets: () => Promise<Secrets>;
  /** Takes text, and resolves when there is room for more. */
  readonly sink: (text: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

export interface Exported {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The consequences of missing secrets, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Rows in memory at the same time. */
const fetchRows = 200;

/** Writes a project as JSON lines, from one snapshot of the database. */
export async function exportProject(client: pg.Client, options: ExportOptions): Promise<Exported> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await writeAll(client, options);
  } finally {
    await client.query('rollback');
  }
}

async function writeAll(client: pg.Client, options: ExportOptions): Promise<Exported> {
  const head = { format: formatName, version: formatVersion, vault: options.vault?.head ?? null } as const;
  await options.sink(plainLine(head));
  const rows: Record<string, number> = {};
  const leftOut: string[] = [...(await writeProject(client, options))];
  for (const table of exportedTables) {
    const { written, withoutSecret } = await writeTable(client, table, options);
    rows[table.name] = written;
    if (withoutSecret > 0 && table.encrypted !== undefined) leftOut.push(table.encrypted.consequence(withoutSecret));
    if (table.name === 'team_memberships') rows[selectedTeams] = await writeSelectedTeams(client, options);
  }
  await options.sink(plainLine({ end: rows }));
  return { rows, leftOut };
}

const projectColumns = ['display_name', 'description', 'is_production_mode', 'config', 'created_at_millis'];

/** @returns the consequences of what is left out, one sentence each */
async function writeProject(client: pg.Client, { projectId, vault, secrets, sink }: ExportOptions): Promise<string[]> {
  const { rows } = await client.query<{ row: string; config: Readonly<Record<string, unknown>> }>(
    `select row_to_json(r)::text as row, config
     from (select ${columnList(projectColumns)} from projects where id = $1 and deleted_at_millis is null) r`,
    [projectId],
  );
  const [found] = rows;
  if (found === undefined) throw new Failure(`There is no project ${projectId} in this database.`);
  await sink(plainLine({ table: 'projects', columns: projectColumns }));
  const { config, encrypted } = splitConfig(found.config);
  const places = Object.entries(encrypted);
  const row = places.length === 0 ? found.row : JSON.stringify({ ...JSON.parse(found.row), config });
  if (vault === undefined || places.length === 0) {
    await sink(rowLine(row));
    const names = places.map(([place]) => place).join(' and ');
    return places.length === 0
      ? []
      : [`the secrets of ${names}: the features that need them are off until you set the secrets again`];
  }
  const opened = await secrets();
  const anew = places.map(([place, value]) => {
    const plain = decryptOrFail('projects', () => decryptAt(place, value, opened));
    return [place, vault.encrypt(`projects.${place}`, plain)];
  });
  await sink(rowLine(row, Object.fromEntries(anew)));
  return [];
}

function decryptOrFail<T>(table: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw new Failure(
      `A secret of this project (${table}) cannot be decrypted: TESSERA_SECRET is not the secret of this installation.`,
      undefined,
      cause,
    );
  }
}

interface Written {
  readonly written: number;
  readonly withoutSecret: number;
}

interface Fetched {
  readonly row: string;
  readonly encrypted: Buffer | null;
}

async function writeTable(client: pg.Client, table: ExportedTable, options: ExportOptions): Promise<Written> {
  const { name, order, encrypted, where } = table;
  const columns = (await columnsOf(client, name)).filter(column => !isOmitted(table, column));
  const encryptedColumn = encrypted === undefined ? 'null::bytea' : `t.${quoteName(encrypted.name)}`;
  const query = `
    select (select row_to_json(r)::text from (select ${columnList(columns, 't')}) r) as row, ${encryptedColumn} as encrypted
    from ${quoteName(name)} t where t.project_id = $1${where === undefined ? '' : ` and ${where}`}
    order by ${columnList(order, 't')}
  `;
  await options.sink(plainLine({ table: name, columns }));
  let withoutSecret = 0;
  const written = await writeRows<Fetched>(client, query, options, async fetched => {
    if (fetched.encrypted === null || encrypted === undefined) return rowLine(fetched.row);
    if (options.vault !== undefined) {
      const secrets = reencryptForVault(name, {
        encrypted,
        fetched,
        vault: options.vault,
        secrets: await options.secrets(),
      });
      return rowLine(fetched.row, secrets);
    }
    withoutSecret += 1;
    return encrypted.withoutSecret === 'skip row' ? undefined : rowLine(fetched.row);
  });
  return { written, withoutSecret };
}

function isOmitted({ encrypted, omit = [], fixed = {} }: ExportedTable, column: string): boolean {
  return column === encrypted?.name || omit.includes(column) || column in fixed;
}

interface Reencryption {
  readonly encrypted: EncryptedColumn;
  readonly fetched: Fetched;
  readonly vault: Vault;
  readonly secrets: Secrets;
}

function reencryptForVault(
  table: string,
  { encrypted, fetched, vault, secrets }: Reencryption,
): Record<string, string> {
  const row: Row = JSON.parse(fetched.row);
  const plain = decryptOrFail(table, () => encrypted.decrypt(fetched.encrypted ?? Buffer.of(), row, secrets));
  return { [encrypted.name]: vault.encrypt(`${table}.${encrypted.name}`, plain) };
}

async function writeSelectedTeams(client: pg.Client, options: ExportOptions): Promise<number> {
  const columns = ['id', 'selected_team_id'];
  await options.sink(plainLine({ table: selectedTeams, columns }));
  const query = `
    select row_to_json(r)::text as row from (
      select ${columnList(columns)} from users where project_id = $1 and selected_team_id is not null order by id
    ) r
  `;
  return writeRows<{ row: string }>(client, query, options, async ({ row }) => rowLine(row));
}

/** Writes a line for each row for which `lineOf` returns one. @returns the number of lines */
async function writeRows<Fetched extends pg.QueryResultRow>(
  client: pg.Client,
  query: string,
  { projectId, sink, signal, onProgress }: ExportOptions,
  lineOf: (row: Fetched) => Promise<string | undefined>,
): Promise<number> {
  await client.query(`declare rows no scroll cursor for ${query}`, [projectId]);
  let written = 0;
  for (;;) {
    if (signal.aborted) throw new Failure('Stopped. The output is incomplete.');
    const { rows } = await client.query<Fetched>(`fetch ${fetchRows} from rows`);
    if (rows.length === 0) break;
    const lines: string[] = [];
    for (const row of rows) {
      const line = await lineOf(row);
      if (line !== undefined) lines.push(line);
    }
    await sink(lines.join(''));
    written += lines.length;
    onProgress(lines.length);
  }
  await client.query('close rows');
  return written;
}
