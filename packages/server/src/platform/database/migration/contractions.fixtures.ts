interface Contraction {
  readonly pattern: RegExp;
  readonly says: string;
}

/** A change that breaks the previous release. */
const contractions: readonly Contraction[] = [
  { pattern: /\bdrop (?:table|view|materialized view|column|function|type|schema)\b/, says: 'removes something' },
  {
    pattern: /\balter table\b.*\bdrop (?!constraint\b|column\b|not null\b|default\b|expression\b)/,
    says: 'removes something',
  },
  { pattern: /\brename\b/, says: 'renames something' },
  { pattern: /\balter (?:column )?\S+ (?:set data )?type\b/, says: 'changes a type' },
  { pattern: /\bset not null\b/, says: 'makes a column required' },
];

/**
 * Finds the changes of a migration that break the previous release. A migration that removes something names the release
 * that stopped using it: `-- unused since 0.2.0: users.nickname`. That release must already be published.
 *
 * @param earlier versions that were released before this one
 */
export function findContractions(text: string, earlier: readonly string[]): string[] {
  const unusedSince = /^-- unused since (\d+\.\d+\.\d+): \S/m.exec(text)?.[1];
  if (unusedSince !== undefined) {
    return earlier.includes(unusedSince) ? [] : [`${unusedSince} is not a release before this one`];
  }
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map(statement => statement.replaceAll(/\s+/g, ' ').trim());
  return statements.flatMap(statement => [...contractionsOf(statement), ...requiredColumns(statement)]);
}

function contractionsOf(statement: string): string[] {
  const found = contractions.find(({ pattern }) => pattern.test(statement));
  return found === undefined ? [] : [`${found.says}: ${statement}`];
}

/** The previous release inserts rows without the new column. */
function requiredColumns(statement: string): string[] {
  if (!statement.startsWith('alter table')) return [];
  const added = statement.split(/\badd column /).slice(1);
  return added
    .filter(column => /\bnot null\b/.test(column) && !/\b(?:default|generated)\b/.test(column))
    .map(column => `adds a required column without a default: ${column}`);
}
