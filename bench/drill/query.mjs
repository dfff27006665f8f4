import pg from 'pg';

/** Runs one statement on a connection of its own. @returns the rows */
export async function query(connection, text) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
