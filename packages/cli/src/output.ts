import {
  escapeControlCharacters,
  stripControlCharacters,
  stripControlCharactersOfLines,
} from './control-characters.ts';
import { type Io, write } from './io.ts';

/** Prints a result: only JSON, or text. */
export async function print(
  io: Pick<Io, 'stdout'>,
  asJson: boolean | undefined,
  value: unknown,
  text: string,
): Promise<void> {
  const shown =
    asJson === true ? escapeControlCharacters(JSON.stringify(value, null, 2)) : stripControlCharactersOfLines(text);
  await write(io.stdout, shown === '' ? '' : `${shown}\n`);
}

/** Formats rows under headings, in columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows.map(row => row.map(stripControlCharacters))];
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

/** Formats names and values, one per line. Undefined values are left out. */
export function list(entries: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${stripControlCharacters(value ?? '')}`).join('\n');
}

/** A time in UTC, to the minute. */
export function formatTime(date: Date | null | undefined): string {
  return date === null || date === undefined ? '-' : `${date.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

/** Name and address of a user; without them the id. */
export function formatUserName(user: { id: string; displayName: string | null; primaryEmail: string | null }): string {
  const { displayName, primaryEmail, id } = user;
  if (displayName !== null && primaryEmail !== null) return stripControlCharacters(`${displayName} <${primaryEmail}>`);
  return stripControlCharacters(displayName ?? primaryEmail ?? id);
}
