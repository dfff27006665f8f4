import { Failure } from '../failure.ts';
import type { Row } from './tables.ts';
import type { VaultHead } from './vault.ts';

/** The format and its version. Within a version, columns may be added or removed; lines keep their meaning. */
export const formatName = 'tessera-project';
export const formatVersion = 1;

/** The first line. */
export interface Head {
  readonly format: typeof formatName;
  readonly version: typeof formatVersion;
  /** How the secrets in the file are encrypted; null when they are left out. */
  readonly vault: VaultHead | null;
}

/** Names the columns of the rows that follow. */
export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A row. It is written as text, so that metadata keeps its key order and numbers. */
export interface RowLine {
  readonly row: Row;
  /** Secrets encrypted with the passphrase, by column or place. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** The last line. A file without it is incomplete. */
export interface EndLine {
  readonly end: Readonly<Record<string, number>>;
}

export type Line = TableLine | RowLine | EndLine;

/** A line with a row from the database. Newlines occur only between tokens: inside strings they are escaped. */
export function rowLine(json: string, secrets?: Readonly<Record<string, string>>): string {
  const row = json.replaceAll(/[\r\n]/g, ' ');
  return secrets === undefined ? `{"row":${row}}\n` : `{"row":${row},"secrets":${JSON.stringify(secrets)}}\n`;
}

export function plainLine(line: Head | TableLine | EndLine): string {
  return `${JSON.stringify(line)}\n`;
}

export function readHead(text: string): Head {
  const { format, version, vault }: Record<string, unknown> = Object(parseJson(text));
  if (format !== formatName) throw new Failure('This is not an export of a Tessera project.');
  if (version !== formatVersion) {
    throw new Failure(
      `The file has format version ${String(version)}; this program knows ${formatVersion}. Use the version of tessera that wrote it, or a newer one.`,
    );
  }
  return { format, version, vault: vault === null ? null : vaultHead(vault) };
}

/** @throws a Failure that names the line */
export function readLine(text: string, number: number): Line {
  const value: unknown = parseJson(text);
  if (isTableLine(value) || isRowLine(value) || isEndLine(value)) return value;
  throw new Failure(`Line ${number} of the file is damaged. Nothing was imported.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON.
    return undefined;
  }
}

function vaultHead(value: unknown): VaultHead {
  const { salt, check }: Record<string, unknown> = Object(value);
  if (typeof salt === 'string' && typeof check === 'string') return { salt, check };
  throw new Failure('The first line of the file is damaged.');
}

function isTableLine(value: unknown): value is TableLine {
  const { table, columns }: Record<string, unknown> = Object(value);
  return typeof table === 'string' && Array.isArray(columns) && columns.every(name => typeof name === 'string');
}

function isRowLine(value: unknown): value is RowLine {
  const { row, secrets }: Record<string, unknown> = Object(value);
  return isRecord(row) && (secrets === undefined || isRecord(secrets));
}

function isEndLine(value: unknown): value is EndLine {
  return isRecord(Object(value).end);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
