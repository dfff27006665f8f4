/**
 * @typedef {object} Row
 * @property {string} what
 * @property {object} value in numbers, for the file
 * @property {string} text for people
 * @property {string} budget
 * @property {boolean} [isKept] undefined where there is no budget
 */

/** @param {readonly Row[]} rows */
export function tableOf(rows) {
  const cells = rows.map(row => [row.what, row.text, row.budget, verdict(row)]);
  const table = [['what', 'measured', 'budget', ''], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map(line => line[column].length)));
  return table
    .map(line =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function verdict({ isKept }) {
  if (isKept === undefined) return '';
  return isKept ? 'kept' : 'MISSED';
}
