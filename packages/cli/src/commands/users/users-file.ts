import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ImportedUser } from '@tessera/client';
import { type FileRow, guessMapping, importedUserOf, readImportFile } from '@tessera/client/import-file';
import { Failure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { readLines } from '../../lines.ts';

/** A user of a file; undefined when a line of JSON Lines is not an object. */
export interface ImportedRow {
  /** The line where the user begins; in a JSON list, the place of the user. */
  readonly line: number;
  readonly user: ImportedUser | undefined;
}

/**
 * The users of a file. JSON Lines are read line by line, so that a file of any size needs little memory. The columns of
 * an export that are left out are added to `leftOut`.
 */
export async function* readUsers(io: Io, file: string, leftOut: Set<string>): AsyncGenerator<ImportedRow, void> {
  const path = resolve(io.cwd, file);
  if (file !== '-' && !existsSync(path)) throw new Failure(`There is no file ${file}.`);
  const lines = readLines(file === '-' ? io.stdin : createReadStream(path));
  const { value: first = '' } = await lines.next();
  const firstRow = parseRow(first);
  if (firstRow === undefined || Array.isArray(firstRow.users)) {
    const texts = [first];
    for await (const text of lines) texts.push(text);
    yield* readWhole(texts.join('\n'), leftOut);
    return;
  }
  yield { line: 1, user: toUser(firstRow, leftOut) };
  let line = 1;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const row = parseRow(text);
    yield { line, user: row && toUser(row, leftOut) };
  }
}

/** The users of a CSV file or of a JSON list. */
function* readWhole(text: string, leftOut: Set<string>): Generator<ImportedRow, void> {
  const { columns, rows, lines } = read(text);
  if (Object.keys(guessMapping(columns)).length === 0) {
    throw new Failure(`The file has no column that can be imported. Its columns are ${columns.join(', ')}.`);
  }
  const isJson = lines === undefined;
  for (const [index, row] of rows.entries()) {
    yield { line: lines?.[index] ?? index + 1, user: isJson ? toUser(row, leftOut) : convert(row, columns, leftOut) };
  }
}

function read(text: string) {
  try {
    return readImportFile(text);
  } catch (error) {
    throw new Failure(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** A row of JSON with an address under another name than that of the API is from another system. */
function toUser(row: FileRow, leftOut: Set<string>): ImportedUser {
  const columns = Object.keys(row);
  const address = Object.entries(guessMapping(columns)).find(([, field]) => field === 'primary_email')?.[0];
  return address === undefined || address === 'primary_email' ? row : convert(row, columns, leftOut);
}

function convert(row: FileRow, columns: readonly string[], leftOut: Set<string>): ImportedUser {
  const mapping = guessMapping(columns);
  for (const column of columns) if (mapping[column] === undefined) leftOut.add(column);
  return importedUserOf(row, mapping);
}

function parseRow(text: string): FileRow | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FileRow) : undefined;
  } catch {
    // The report names the line.
    return undefined;
  }
}
