import type pg from 'pg';
import type { RowProperty, TypedQuery } from './row-types.ts';

/** A column of the result of a statement, as the server describes it. */
interface Column {
  readonly name: string;
  /** Zero for an expression. */
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** The part of the driver's connection that sends the messages of the extended protocol. */
interface ProtocolConnection {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** The kinds of values that the driver makes of PostgreSQL's types; `any` for JSON. */
const kindsOfTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float8: 'number',
  text: 'string',
  varchar: 'string',
  name: 'string',
  uuid: 'string',
  inet: 'string',
  xid8: 'string',
  timestamptz: 'Date',
  json: 'any',
  jsonb: 'any',
};

/**
 * Compares the row types of queries with the columns that the server describes. The server knows whether a column of a
 * table can be null; for an expression the type of the row is believed.
 *
 * @returns one line for each difference
 */
export async function findRowLies(client: pg.ClientBase, queries: readonly TypedQuery[]): Promise<string[]> {
  const catalog = await readCatalog(client);
  const found: string[] = [];
  for (const { place, row, text } of queries) {
    if (text === undefined) continue;
    const problems = await describe(client, text).then(
      columns => compare(row, columns, catalog),
      (error: Error) => [`the server refuses the statement: ${error.message}`],
    );
    found.push(...problems.map(problem => `${place} ${problem}`));
  }
  return found;
}

interface Catalog {
  readonly typeNames: ReadonlyMap<number, string>;
  /** Columns that can be null, as `table.column` numbers. */
  readonly nullable: ReadonlySet<string>;
}

async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const types = await client.query<{ oid: number; name: string }>(
    'select oid::int4 as oid, typname as name from pg_type',
  );
  const columns = await client.query<{ place: string }>(
    `select attrelid::text || '.' || attnum as place from pg_attribute where attnum > 0 and not attnotnull`,
  );
  return {
    typeNames: new Map(types.rows.map(({ oid, name }) => [oid, name])),
    nullable: new Set(columns.rows.map(({ place }) => place)),
  };
}

/** Asks the server for the result columns of a statement, without running it. */
function describe(client: pg.ClientBase, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = [];
    client.query({
      submit(connection: unknown) {
        const protocol = connection as ProtocolConnection;
        protocol.parse({ name: '', text, types: [] });
        protocol.describe({ type: 'S', name: '' });
        protocol.sync();
      },
      handleRowDescription(message: { fields: Column[] }) {
        columns = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as unknown as pg.Submittable);
  });
}

function compare(row: readonly RowProperty[], columns: readonly Column[], catalog: Catalog): string[] {
  const missing = row.filter(({ name }) => !columns.some(column => column.name === name));
  const unnamed = columns.filter(({ name }) => !row.some(property => property.name === name));
  return [
    ...missing.map(({ name }) => `has no column for the property ${name}`),
    ...unnamed.map(({ name }) => `selects ${name}, which the row type does not have`),
    ...row.flatMap(property => {
      const column = columns.find(({ name }) => name === property.name);
      return column === undefined ? [] : compareColumn(property, column, catalog);
    }),
  ];
}

function compareColumn(property: RowProperty, column: Column, { typeNames, nullable }: Catalog): string[] {
  const { name, kinds, allowsNull, allowsUndefined } = property;
  const typeName = typeNames.get(column.dataTypeID) ?? 'unknown';
  const kind = typeName.startsWith('_') ? 'array' : kindsOfTypes[typeName];
  const problems: string[] = [];
  if (kind === undefined) problems.push(`selects ${name} of type ${typeName}, whose values this check does not know`);
  else if (!fits(kind, kinds)) problems.push(`has ${kinds.join(' | ')} for ${name}, which is ${typeName}`);
  if (allowsUndefined) problems.push(`allows undefined for ${name}; a column without a value is null`);
  if (!allowsNull && nullable.has(`${column.tableID}.${column.columnID}`)) {
    problems.push(`does not allow null for ${name}, whose column can be null`);
  }
  return problems;
}

function fits(kind: string, kinds: readonly string[]): boolean {
  if (kind === 'any') return kinds.every(one => one !== 'Buffer' && one !== 'Date');
  return kinds.every(one => one === kind || one === 'any');
}
