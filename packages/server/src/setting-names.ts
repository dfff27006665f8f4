const prefix = 'TESSERA_';

/** Variables of the command line and of the SDK, which may share the environment of the server. */
const namesOfOthers = new Set(
  [
    'API_URL',
    'APP_URL',
    'CONFIG_DIR',
    'EXTRA_REQUEST_HEADERS',
    'PROJECT_ID',
    'PUBLISHABLE_CLIENT_KEY',
    'SECRET_SERVER_KEY',
    'SUPER_SECRET_ADMIN_KEY',
  ].map(name => `${prefix}${name}`),
);

/** A sentence for each variable `TESSERA_…` that is not a setting: a mistyped one would be ignored without a warning. */
export function unknownNameWarnings(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter(name => name.startsWith(prefix) && !known.includes(name) && !namesOfOthers.has(name))
    .map(name => `${name} is not a setting and is ignored. Did you mean ${nearestName(name, known)}?`);
}

/** The prefix does not count: `TESSERA_DATABASE_URL` means `DATABASE_URL`. */
function nearestName(name: string, known: readonly string[]): string {
  const distances = known.map(candidate => countEdits(withoutPrefix(name), withoutPrefix(candidate)));
  return known[distances.indexOf(Math.min(...distances))] ?? name;
}

function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The Levenshtein distance: characters to insert, delete or replace. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const above = row;
    row = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[to.length] ?? 0;
}
