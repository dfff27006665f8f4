import pg from 'pg';

/** Columns of a table in order, without the project's id. */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and column_name <> 'project_id' order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

export const quoteName = (name: string): string => pg.escapeIdentifier(name);

/** `r."a", r."b"` */
export function columnList(columns: readonly string[], alias?: string): string {
  return columns.map(name => (alias === undefined ? quoteName(name) : `${alias}.${quoteName(name)}`)).join(', ');
}
