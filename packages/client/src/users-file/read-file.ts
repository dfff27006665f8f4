import { parseCsv } from './csv.ts';
import type { Cell, FileRow } from './fields.ts';

export interface ImportFile {
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
  /** The line of each row; undefined for JSON. */
  readonly lines?: readonly number[];
}

/**
 * The rows of a file: CSV with a line of column names, a JSON array, `{"users": […]}`, or JSON Lines.
 *
 * @throws an error whose message is the end of "The file cannot be read: …"
 */
export function readImportFile(text: string): ImportFile {
  const content = /^\s*[[{]/.test(text) ? { rows: readJson(text) } : readCsv(text);
  if (content.rows.length === 0) throw new Error('it has no rows');
  return { columns: [...new Set(content.rows.flatMap(row => Object.keys(row)))], ...content };
}

function readCsv(text: string): Pick<ImportFile, 'rows' | 'lines'> {
  const [head, ...rows] = parseCsv(text);
  const columns = head?.cells.map(column => column.trim()) ?? [];
  return {
    rows: rows.map(({ cells }) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))),
    lines: rows.map(({ line }) => line),
  };
}

function readJson(text: string): FileRow[] {
  const value =
    parseWhole(text) ??
    text
      .split('\n')
      .filter(line => line.trim() !== '')
      .map(line => JSON.parse(line));
  const list = isRow(value) && Array.isArray(value.users) ? value.users : Array.isArray(value) ? value : [value];
  const unreadable = list.findIndex(entry => !isRow(entry));
  if (unreadable !== -1) throw new Error(`entry ${unreadable + 1} is not a JSON object`);
  return list;
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
