/**
 * A cell of a CSV file (RFC 4180). Users choose names and user agents: an apostrophe keeps a spreadsheet from
 * running one as a formula.
 */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
