import { type Io, write } from './io.ts';

/** A result: as JSON and nothing else, or as text for people. */
export async function print(
  io: Pick<Io, 'stdout'>,
  asJson: boolean | undefined,
  value: unknown,
  text: string,
): Promise<void> {
  await write(io.stdout, asJson === true ? `${JSON.stringify(value, null, 2)}\n` : text === '' ? '' : `${text}\n`);
}

/** Rows under headings, in columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map(row => row.map(plain))];
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)));
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, a line each; undefined ones are left out. */
export function list(entries: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${plain(value ?? '')}`).join('\n');
}

/** What users call themselves must not move the cursor or colour the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{FFFD}');
}

/** To the minute, in UTC. */
export function when(date: Date | null | undefined): string {
  return date === null || date === undefined ? '-' : `${date.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
