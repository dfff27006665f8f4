import type { Readable } from 'node:stream';
import { Failure } from '../failure.ts';
import { readLines } from '../lines.ts';
import { type EndLine, type Head, type RowLine, readHead, readLine, type TableLine } from './format.ts';

/** Consecutive rows of one table in the file. */
export interface Batch {
  readonly table: TableLine;
  readonly firstLine: number;
  readonly rows: readonly RowLine[];
  /** The lines as they are in the file, one for each row. */
  readonly texts: readonly string[];
}

/** Limits of one statement. */
const batchRows = 500;
const batchBytes = 4 * 2 ** 20;

interface OpenBatch extends Batch {
  readonly rows: RowLine[];
  readonly texts: string[];
}

/**
 * Reads a file: its head first, then its rows in batches.
 *
 * @throws a Failure that names the line when the file is damaged or incomplete
 */
export async function* readExport(source: Readable): AsyncGenerator<Head | Batch, void> {
  const counts = new Map<string, number>();
  let batch: OpenBatch | undefined;
  let bytes = 0;
  let end: EndLine['end'] | undefined;
  let number = 0;

  for await (const text of readLines(source)) {
    number += 1;
    if (number === 1) {
      yield readHead(text);
      continue;
    }
    const line = readLine(text, number);
    if (end !== undefined) throw damagedFile(`line ${number} comes after the end line`);
    if ('row' in line) {
      if (batch === undefined) throw damagedFile(`line ${number} belongs to no table`);
      batch.rows.push(line);
      batch.texts.push(text);
      bytes += text.length;
      counts.set(batch.table.table, (counts.get(batch.table.table) ?? 0) + 1);
      if (batch.rows.length < batchRows && bytes < batchBytes) continue;
    }
    if (batch !== undefined && batch.rows.length > 0) yield batch;
    if ('end' in line) end = line.end;
    const table: TableLine | undefined = 'table' in line ? line : batch?.table;
    batch = table === undefined ? undefined : { table, firstLine: number + 1, rows: [], texts: [] };
    bytes = 0;
  }

  if (number === 0) throw damagedFile('it is empty');
  if (end === undefined) throw damagedFile('the end line is missing');
  for (const [table, count] of Object.entries(end)) {
    const found = counts.get(table) ?? 0;
    if (found !== count) throw damagedFile(`it has ${found} of ${count} rows of ${table}`);
  }
}

function damagedFile(what: string): Failure {
  return new Failure(`The file is incomplete or damaged: ${what}. Nothing was imported.`);
}
