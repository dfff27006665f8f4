import { parseCsv } from '../../../files/csv.ts';
import type { Cell, FileRow } from './fields.ts';
import { words } from './words.ts';

export interface ImportFile {
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
}

/**
 * The rows of a file: CSV with a line of column names, a JSON array, `{"users": […]}`, or JSON Lines.
 *
 * @throws an error whose message is the end of "The file cannot be read: …"
 */
export function readImportFile(text: string): ImportFile {
  const rows = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text);
  if (rows.length === 0) throw new Error(words.noRows);
  return { columns: [...new Set(rows.flatMap(row => Object.keys(row)))], rows };
}

function readCsv(text: string): FileRow[] {
  const [head = [], ...rows] = parseCsv(text);
  return rows.map(cells => Object.fromEntries(head.map((column, index) => [column.trim(), cells[index] ?? ''])));
}

function readJson(text: string): FileRow[] {
  const value =
    parseWhole(text) ??
    text
      .split('\n')
      .filter(line => line.trim() !== '')
      .map(line => JSON.parse(line));
  const list = isRow(value) && Array.isArray(value.users) ? value.users : Array.isArray(value) ? value : [value];
  return list.filter(isRow);
}

/** Undefined for JSON Lines, which are not one JSON text. */
function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRow(value: unknown): value is Record<string, Cell> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
