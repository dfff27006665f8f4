import { asAdministrator, type TestPostgres } from '@tessera/testing/database';

/** Makes the database refuse every statement that deletes more rows of a table. */
export function limitDeletedRows(connection: TestPostgres, table: string, maxRows: number): Promise<unknown> {
  return asAdministrator(connection, client =>
    client.query(`
      create function limit_deleted_${table}() returns trigger language plpgsql as $$
      begin
        if (select count(*) from deleted) > ${maxRows} then raise exception 'the statement deletes too many rows'; end if;
        return null;
      end
      $$;
      create trigger limit_deleted after delete on ${table} referencing old table as deleted
        for each statement execute function limit_deleted_${table}();
    `),
  );
}
