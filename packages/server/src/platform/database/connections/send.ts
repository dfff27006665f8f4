import type pg from 'pg';
import type { Statement } from '../sql.ts';
import type { Connection } from './pool.ts';
import { PreparedQuery } from './prepared-query.ts';

/** Sends a statement, which the connection prepares if it has a name. */
export function send<Row>(
  connection: Connection,
  { name, text, values, maxResultBytes }: Pick<Statement, 'name' | 'text' | 'values' | 'maxResultBytes'>,
  done: (error: Error | null, rows: Row[]) => void,
): void {
  const client: pg.ClientBase = connection;
  connection.result.bytesLeft = maxResultBytes;
  if (name !== undefined) client.query(new PreparedQuery({ name, text, values }, connection.rowShapes, done));
  else
    client.query({ text, values }, (error: Error | null, result) => done(error, error ? [] : (result.rows as Row[])));
}
