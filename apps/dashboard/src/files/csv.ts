/**
 * A cell of a CSV file (RFC 4180). Users choose names and user agents: an apostrophe keeps a spreadsheet from
 * running one as a formula.
 */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The rows of a CSV file (RFC 4180), with quoted cells, any line end and an optional byte order mark. Cells may be
 * separated by semicolons, as spreadsheets with a decimal comma write them, or by tabs.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const cells = new RegExp(
    `("(?:[^"]|"")*"|[^"${separator}\\r\\n][^${separator}\\r\\n]*|)(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  let row: string[] = [];
  while (cells.lastIndex < source.length) {
    const match = cells.exec(source);
    // Text behind a closing quote: the quote belongs to the text.
    if (match === null) throw new Error(`line ${rows.length + 1}`);
    const [, cell = '', end] = match;
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== separator) {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) rows.push([...row, '']);
  return rows.filter(cellsOfRow => cellsOfRow.some(cell => cell !== ''));
}

/** The separator that the first line has most often, outside of quoted cells. */
function separatorOf(source: string): string {
  const [firstLine = ''] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(source) ?? [];
  const unquoted = firstLine.replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string) => unquoted.split(separator).length;
  return [';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best), ',');
}
