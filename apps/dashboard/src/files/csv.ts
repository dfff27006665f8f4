/**
 * A cell of a CSV file (RFC 4180). Users choose names and user agents: an apostrophe keeps a spreadsheet from
 * running one as a formula.
 */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A column of a CSV file: its name, and how its cell is read from an item. */
export type CsvColumn<Item> = readonly [name: string, read: (item: Item) => string | null];

/** The lines of a CSV file. */
export function csvLines<Item>(columns: readonly CsvColumn<Item>[]) {
  return {
    head: `${columns.map(([name]) => name).join(',')}\r\n`,
    line: (item: Item) => `${columns.map(([, read]) => csvCell(read(item))).join(',')}\r\n`,
  };
}

/** The text of a cell with JSON; null for a value that is null or missing. */
export function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
