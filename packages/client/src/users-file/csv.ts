/** A row of a CSV file, and the line of the file where it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a CSV file (RFC 4180), with quoted cells, any line end and an optional byte order mark. Cells may be
 * separated by semicolons, as spreadsheets with a decimal comma write them, or by tabs. Empty rows are left out.
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const pattern = new RegExp(
    `("(?:[^"]|"")*"|[^"${separator}\\r\\n][^${separator}\\r\\n]*|)(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  let line = 1;
  let lineOfRow = 1;
  let cells: string[] = [];
  while (pattern.lastIndex < source.length) {
    const match = pattern.exec(source);
    // Text behind a closing quote: the quote belongs to the text.
    if (match === null) throw new Error(`line ${line} has text after a closing quote`);
    const [all, cell = '', end] = match;
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    line += all.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end !== separator) {
      rows.push({ line: lineOfRow, cells });
      cells = [];
      lineOfRow = line;
    }
  }
  if (cells.length > 0) rows.push({ line: lineOfRow, cells: [...cells, ''] });
  return rows.filter(row => row.cells.some(cell => cell !== ''));
}

/** The separator that the first line has most often, outside of quoted cells. */
function separatorOf(source: string): string {
  const [firstLine = ''] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(source) ?? [];
  const unquoted = firstLine.replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string) => unquoted.split(separator).length;
  return [';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best), ',');
}
