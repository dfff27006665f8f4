import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'libpg-query';
import { placements } from '../../platform/database/distribution/placement.ts';
import type { KnownTable } from './sources.ts';

interface CreatedTable {
  readonly relation: { readonly relname: string };
  readonly tableElts: readonly { readonly ColumnDef?: { readonly colname: string } }[];
}

/** The tables of the schema with their columns and placement. */
export function readKnownTables(): ReadonlyMap<string, KnownTable> {
  const text = readFileSync(join(import.meta.dirname, '../../migrations/schema.sql'), 'utf8');
  const { stmts } = parseSync(text) as { stmts: readonly { stmt: { CreateStmt?: CreatedTable } }[] };
  return new Map(
    stmts.flatMap(({ stmt: { CreateStmt: created } }): [string, KnownTable][] => {
      if (created === undefined) return [];
      const placement = placements.get(created.relation.relname);
      const columns = new Set(created.tableElts.flatMap(({ ColumnDef }) => ColumnDef?.colname ?? []));
      const distributedBy = placement?.kind === 'distributed' ? placement.column : undefined;
      return [[created.relation.relname, { columns, distributedBy }]];
    }),
  );
}
