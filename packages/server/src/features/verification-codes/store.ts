import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { CodeState } from './rules.ts';

export interface NewCode {
  readonly id: string;
  readonly kind: string;
  readonly codeHash: Buffer;
  readonly nonceHash: Buffer;
  readonly userId: string | null;
  readonly address: string | null;
  readonly data: string;
  readonly createdAtMillis: number;
  readonly expiresAtMillis: number;
}

export interface CodeRow extends CodeState {
  readonly id: string;
  readonly userId: string | null;
  readonly address: string | null;
  readonly data: unknown;
}

/** The team or project that a code invites to; codes of other kinds have none. */
export type CodeTarget = { readonly teamId: string } | { readonly projectId: string } | Readonly<Record<string, never>>;

/** The address or user that codes belong to, and their kind. */
export interface CodeAccount {
  readonly kind: string;
  readonly id: string;
}

export async function insertCode(tx: Transaction, projectId: string, code: NewCode): Promise<void> {
  await tx.query(sql`
    insert into one_time_codes (
      project_id, id, kind, code_hash, nonce_hash, user_id, address, data, created_at_millis, expires_at_millis
    ) values (
      ${projectId}, ${code.id}, ${code.kind}, ${code.codeHash}, ${code.nonceHash}, ${code.userId}, ${code.address},
      ${code.data}, ${code.createdAtMillis}, ${code.expiresAtMillis}
    )
  `);
}

/**
 * Deletes open codes of one kind, address and target, except `newestId` and the next newest: `keep` remain (control 19).
 */
export async function deleteOldestCodes(
  tx: Transaction,
  codes: { projectId: string; kind: string; address: string; target: CodeTarget; newestId: string; keep: number },
): Promise<void> {
  const { projectId, kind, address, target, newestId, keep } = codes;
  await tx.query(sql`
    delete from one_time_codes where project_id = ${projectId} and id in (
      select id from one_time_codes
      where project_id = ${projectId} and kind = ${kind} and address = ${address} and used_at_millis is null
        and data::jsonb @> ${JSON.stringify(target)}::jsonb
      order by id = ${newestId} desc, created_at_millis desc, id offset ${keep}
    )
  `);
}

/**
 * Counts an attempt for every code with the same nonce, and returns the matching code, if any, and the account of these
 * codes. Control 14.
 */
export async function countAttempt(
  db: Queryable,
  { projectId, kind, codeHash, nonceHash }: { projectId: string; kind: string; codeHash: Buffer; nonceHash: Buffer },
): Promise<{ found: CodeRow | undefined; account: CodeAccount | undefined }> {
  const rows = await db.query<CodeRow & { kind: string; isMeant: boolean }>(sql`
    update one_time_codes set attempts = attempts + 1
    where project_id = ${projectId} and nonce_hash = ${nonceHash}
    returning id, kind, user_id as "userId", address, data, attempts, expires_at_millis as "expiresAtMillis",
      used_at_millis as "usedAtMillis", code_hash = ${codeHash} and kind = ${kind} as "isMeant"
  `);
  const [code] = rows;
  const id = code?.address ?? code?.userId ?? undefined;
  const account = code === undefined || id === undefined ? undefined : { kind: code.kind, id };
  return { found: rows.find(row => row.isMeant), account };
}

/** Deletes the attempts of a user at a second factor: a change of the first factor ends them (control 21). */
export async function deleteAttempts(
  tx: Transaction,
  { projectId, userId }: { readonly projectId: string; readonly userId: string },
): Promise<void> {
  await tx.query(sql`
    delete from one_time_codes where project_id = ${projectId} and user_id = ${userId} and kind = 'mfa_attempt'
  `);
}

/** Deletes the codes of a user, except those that one address gets and those that only unsubscribe. */
export async function deleteCodesExcept(
  tx: Transaction,
  { projectId, userId }: { readonly projectId: string; readonly userId: string },
  address: string | null,
): Promise<void> {
  await tx.query(sql`
    delete from one_time_codes
    where project_id = ${projectId} and user_id = ${userId} and kind <> 'unsubscribe'
      and (address is null or address is distinct from ${address})
  `);
}

/** Deletes a code of a kind. @param code.data values that the data of the code must contain */
export async function deleteCode(
  tx: Transaction,
  projectId: string,
  code: { readonly id: string; readonly kind: string; readonly data?: Readonly<Record<string, string>> },
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from one_time_codes
    where project_id = ${projectId} and id = ${code.id} and kind = ${code.kind}
      and data::jsonb @> ${JSON.stringify(code.data ?? {})}::jsonb
    returning id
  `);
  return rows.length > 0;
}

/** Records the session that an attempt of a second factor has opened. */
export async function recordAttemptSession(
  tx: Transaction,
  projectId: string,
  { attemptId, sessionId }: { readonly attemptId: string; readonly sessionId: string },
): Promise<void> {
  await tx.query(sql`
    update one_time_codes set data = data::jsonb || jsonb_build_object('sessionId', ${sessionId}::text)
    where project_id = ${projectId} and id = ${attemptId} and kind = 'mfa_attempt'
  `);
}

/** Deletes an attempt of a second factor. @returns the session that it has opened; undefined for none */
export async function deleteAttempt(tx: Transaction, projectId: string, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ sessionId: string | null }>(sql`
    delete from one_time_codes where project_id = ${projectId} and id = ${id} and kind = 'mfa_attempt'
    returning data::jsonb ->> 'sessionId' as "sessionId"
  `);
  return row?.sessionId ?? undefined;
}

export async function hasCode(db: Queryable, projectId: string, id: string): Promise<boolean> {
  const rows = await db.query(sql`select id from one_time_codes where project_id = ${projectId} and id = ${id}`);
  return rows.length > 0;
}

/** One conditional update: of concurrent callers one gets true (control 16). */
export async function consumeCode(db: Queryable, projectId: string, id: string, nowMillis: number): Promise<boolean> {
  const rows = await db.query(sql`
    update one_time_codes set used_at_millis = ${nowMillis}
    where project_id = ${projectId} and id = ${id} and used_at_millis is null and expires_at_millis > ${nowMillis}
    returning id
  `);
  return rows.length > 0;
}
