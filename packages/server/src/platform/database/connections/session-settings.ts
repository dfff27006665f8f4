import type pg from 'pg';

/**
 * Settings of every session. Their values may be set for the database or the account, too: the statements are written for
 * this isolation level, and an idle connection must stay, because it listens or waits for the next request.
 */
export const sessionSettings = { default_transaction_isolation: 'read committed', idle_session_timeout: '0' } as const;

/** For migrations and commands, whose statements may take hours on a large database. */
export const unlimitedSettings = {
  ...sessionSettings,
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  /** Since PostgreSQL 17. */
  transaction_timeout: '0',
} as const;

/**
 * Sets those of the settings that this version of PostgreSQL has. Called for each new connection, in a pool by its option
 * `onConnect`. Not as startup parameters: a connection string may have the same ones, which win, and PgBouncer refuses most.
 */
export async function applySettings(
  client: Pick<pg.ClientBase, 'query'>,
  settings: Readonly<Record<string, string | number>> = sessionSettings,
): Promise<void> {
  await client.query(
    `select set_config(name, value, false) from unnest($1::text[], $2::text[]) as given (name, value)
     where current_setting(name, true) is not null or strpos(name, '.') > 0`,
    [Object.keys(settings), Object.values(settings).map(String)],
  );
}
