import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { selectPasswordAttempt } from '../../features/sign-in/store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import { type FoundStatements, findStatements } from '../statements/find-statements.ts';
import { createSourceProgram, isProductSource } from '../statements/source-program.ts';
import { analyzeStatement, type StatementSpan } from './analysis.ts';
import {
  addsJobs,
  asksSeveralShards,
  builtAtRunTime,
  joinsUnequalColumns,
  readsLocalTables,
} from './known-statements.ts';
import { readKnownTables } from './known-tables.ts';

const sources = join(import.meta.dirname, '../..');
const tables = readKnownTables();

let found: FoundStatements;
let spans: readonly { readonly place: string; readonly span: StatementSpan }[];
beforeAll(() => {
  const program = createSourceProgram(join(sources, '..'));
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  found = findStatements(
    sources,
    program,
    files.filter(file => file.startsWith(sources) && isProductSource(file)),
  );
  spans = found.statements.flatMap(({ place, texts }) =>
    texts.map(text => ({ place, span: analyzeStatement(text, tables) })),
  );
});

function placesWhere(isWanted: (span: StatementSpan) => boolean): string[] {
  return [...new Set(spans.filter(({ span }) => isWanted(span)).map(({ place }) => place))].sort();
}

/** What to do when a statement is new. */
const hint = 'name the project in the statement, or list it with the reason in known-statements.ts';
const namesOf = (known: Readonly<Record<string, string>>) => Object.keys(known).sort();

test('no statement joins tables of two projects, except for those that are named', () => {
  expect(spans.length).toBeGreaterThan(300);
  expect(
    placesWhere(({ groups }) => groups.length > 1),
    hint,
  ).toEqual(namesOf(joinsUnequalColumns));
});

test('every statement is answered by the shard of one project, except for those that are named', () => {
  const places = placesWhere(({ groups, isPinned }) => groups.length === 1 && !isPinned);
  expect(places, hint).toEqual(namesOf(asksSeveralShards));
});

test('no statement reads tables of projects and of the coordinator, except for those that are named', () => {
  const places = placesWhere(({ distributed, others }) => distributed.length > 0 && others.length > 0);
  expect(places, hint).toEqual(namesOf(readsLocalTables));
});

test('no statement adds a job while it reads or writes tables of projects, except for those that are named', () => {
  const places = placesWhere(
    ({ distributed, functions }) =>
      distributed.length > 0 && functions.some(name => name.startsWith('graphile_worker.')),
  );
  expect(places, hint).toEqual(namesOf(addsJobs));
});

test('every template of the sources is part of an analyzed statement, except for those that are built at run time', () => {
  expect([...found.unread].sort()).toEqual(namesOf(builtAtRunTime));
});

test('the statement of a password sign-in reads one project and the counters of the limits', async () => {
  const statements: Statement[] = [];
  const recorder: Queryable = {
    query: async statement => {
      statements.push(statement);
      throw new Error('recorded');
    },
  };
  const spentColumn = sql`(select json_agg(l) from rate_limits l where l.key = any(${['key']})) as spent`;
  const attempt = { projectId: 'p', address: 'a@example.com', block: '192.0.2.0', nowMillis: 1, spentColumn };
  await expect(selectPasswordAttempt(recorder, attempt)).rejects.toThrow('recorded');
  const [{ text, values }] = statements as [Statement];
  const shared = text.replaceAll(/\$(\d+)/g, (_, number) => `$${values.indexOf(values[number - 1]) + 1}`);
  expect(analyzeStatement(shared, tables)).toMatchObject({
    groups: [expect.arrayContaining(['users', 'contact_channels'])],
    isPinned: true,
    others: ['rate_limits'],
  });
});
