import type { Queryable } from '../../../platform/database/database.ts';
import { type Statement, sql } from '../../../platform/database/sql.ts';

export interface NewCliLogin {
  readonly id: string;
  readonly pollingCodeHash: Buffer;
  readonly loginCodeHash: Buffer;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
}

export interface CliLogin {
  readonly id: string;
  readonly expiresAtMillis: number;
  readonly completedAtMillis: number | null;
  readonly usedAtMillis: number | null;
}

export async function insertCliLogin(db: Queryable, projectId: string, login: NewCliLogin): Promise<void> {
  await db.query(sql`
    insert into cli_logins (project_id, id, polling_code_hash, login_code_hash, created_at_millis, expires_at_millis)
    values (
      ${projectId}, ${login.id}, ${login.pollingCodeHash}, ${login.loginCodeHash}, ${login.createdAtMillis},
      ${login.expiresAtMillis}
    )
  `);
}

export async function selectCliLogin(
  db: Queryable,
  projectId: string,
  pollingCodeHash: Buffer,
): Promise<CliLogin | undefined> {
  const [login] = await db.query<CliLogin>(sql`
    select id, expires_at_millis as "expiresAtMillis", completed_at_millis as "completedAtMillis",
      used_at_millis as "usedAtMillis"
    from cli_logins where project_id = ${projectId} and polling_code_hash = ${pollingCodeHash}
  `);
  return login;
}

/** Reads the token once, and erases it. @returns the encrypted refresh token; undefined when another call was faster */
export async function pickUpCliLogin(
  db: Queryable,
  projectId: string,
  id: string,
  nowMillis: number,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ refreshToken: Buffer | null }>(sql`
    with taken as (
      select id, refresh_token from cli_logins
      where project_id = ${projectId} and id = ${id} and used_at_millis is null and refresh_token is not null for update
    )
    update cli_logins l set used_at_millis = ${nowMillis}, refresh_token = null
    from taken where l.project_id = ${projectId} and l.id = taken.id
    returning taken.refresh_token as "refreshToken"
  `);
  return row?.refreshToken ?? undefined;
}

/** The condition of a login that waits for its completion. */
function isOpen(
  projectId: string,
  { loginCodeHash, nowMillis }: { loginCodeHash: Buffer; nowMillis: number },
): Statement {
  return sql`
    project_id = ${projectId} and login_code_hash = ${loginCodeHash}
      and completed_at_millis is null and expires_at_millis > ${nowMillis}
  `;
}

/** Ends a login that waits for its completion. @returns false when the login is not open */
export async function expireCliLogin(
  db: Queryable,
  projectId: string,
  { loginCodeHash, nowMillis }: { loginCodeHash: Buffer; nowMillis: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    update cli_logins set expires_at_millis = ${nowMillis}
    where ${isOpen(projectId, { loginCodeHash, nowMillis })}
    returning id
  `);
  return rows.length > 0;
}

/** @returns false when the login is not open */
export async function completeCliLogin(
  db: Queryable,
  projectId: string,
  { loginCodeHash, refreshToken, nowMillis }: { loginCodeHash: Buffer; refreshToken: Buffer; nowMillis: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    update cli_logins set completed_at_millis = ${nowMillis}, refresh_token = ${refreshToken}
    where ${isOpen(projectId, { loginCodeHash, nowMillis })}
    returning id
  `);
  return rows.length > 0;
}
