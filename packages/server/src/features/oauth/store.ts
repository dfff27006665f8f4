import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { blocksAddress } from '../accounts/contact-channels/index.ts';
import type { UserId } from '../accounts/users/index.ts';
import { deleteSession } from '../sessions/index.ts';
import { deleteAttempt } from '../verification-codes/index.ts';

export interface NewFlow {
  readonly stateHash: Buffer;
  readonly providerId: string;
  /** Encrypted. */
  readonly request: Buffer;
  /** The user whose access token began the flow. */
  readonly userId: string | null;
  readonly nowMillis: number;
}

export async function insertFlow(db: Queryable, projectId: string, flow: NewFlow): Promise<void> {
  await db.query(sql`
    insert into oauth_flows (project_id, state_hash, provider_id, request, user_id, created_at_millis)
    values (
      ${projectId}, ${flow.stateHash}, ${flow.providerId}, ${flow.request}, ${flow.userId}, ${flow.nowMillis}
    )
  `);
}

export interface FlowRow {
  readonly projectId: string;
  readonly providerId: string;
  readonly request: Buffer;
  readonly createdAtMillis: number;
}

const flowColumns = sql`
  project_id as "projectId", provider_id as "providerId", request, created_at_millis as "createdAtMillis"
`;

/**
 * Deletes and returns a flow: of concurrent callers with one state, one gets it (control 51). The link of a user stays
 * under another hash until `endLink`, so that `endPendingFlows` also ends a link that waits for its provider.
 */
export async function takeFlow(db: Queryable, stateHash: Buffer, takenHash: Buffer): Promise<FlowRow | undefined> {
  const [deleted] = await db.query<FlowRow>(sql`
    delete from oauth_flows where state_hash = ${stateHash} and user_id is null returning ${flowColumns}
  `);
  if (deleted !== undefined) return deleted;
  const [link] = await db.query<FlowRow>(sql`
    update oauth_flows set state_hash = ${takenHash} where state_hash = ${stateHash} returning ${flowColumns}
  `);
  return link;
}

/** Deletes a taken link. @returns false when it has ended meanwhile */
export async function endLink(tx: Transaction, projectId: string, takenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from oauth_flows where project_id = ${projectId} and state_hash = ${takenHash} returning state_hash
  `);
  return rows.length > 0;
}

/** Reads a flow without ending it. */
export async function selectFlow(db: Queryable, stateHash: Buffer): Promise<FlowRow | undefined> {
  const [row] = await db.query<FlowRow>(sql`
    select ${flowColumns} from oauth_flows where state_hash = ${stateHash}
  `);
  return row;
}

/** The user who has a provider account. Neither can be deleted until the transaction ends. */
export async function holdOwner(
  tx: Transaction,
  projectId: string,
  { providerId, accountId }: { providerId: string; accountId: string },
): Promise<string | undefined> {
  const [row] = await tx.query<{ userId: string }>(sql`
    select o.user_id as "userId" from oauth_accounts o
    join users u on u.project_id = ${projectId} and u.id = o.user_id
    where o.project_id = ${projectId} and o.provider_id = ${providerId} and o.account_id = ${accountId}
    for key share of u, o
  `);
  return row?.userId;
}

export async function selectOwner(
  db: Queryable,
  projectId: string,
  { providerId, accountId }: { providerId: string; accountId: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ userId: string }>(sql`
    select user_id as "userId" from oauth_accounts
    where project_id = ${projectId} and provider_id = ${providerId} and account_id = ${accountId}
  `);
  return row?.userId;
}

/** The user who signs in with an address. Both and the verification stay unchanged until the transaction ends. */
export async function holdEmailOwner(
  tx: Transaction,
  projectId: string,
  address: string,
): Promise<{ userId: string; isVerified: boolean } | undefined> {
  const [row] = await tx.query<{ userId: string; isVerified: boolean }>(sql`
    select c.user_id as "userId", c.is_verified as "isVerified" from contact_channels c
    join users u on u.project_id = ${projectId} and u.id = c.user_id
    where c.project_id = ${projectId} and c.type = 'email' and c.value = ${address} and c.used_for_auth
      and ${blocksAddress(projectId)}
    for share of c for key share of u
  `);
  return row;
}

export async function selectLinkedAccountIds(
  db: Queryable,
  projectId: string,
  { providerId, userId }: { providerId: string; userId: string },
): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(sql`
    select account_id as "accountId" from oauth_accounts
    where project_id = ${projectId} and provider_id = ${providerId} and user_id = ${userId}
  `);
  return rows.map(({ accountId }) => accountId);
}

export interface AuthorizationCode {
  /** Undefined when the exchange is going to create the user. */
  readonly userId: string | undefined;
  readonly providerId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly isNewUser: boolean;
  readonly afterCallbackRedirectUrl: string | null;
  /** Encrypted. */
  readonly providerSignIn: Buffer;
}

export async function insertAuthorizationCode(
  tx: Transaction,
  projectId: string,
  code: AuthorizationCode & { readonly hash: Buffer; readonly nowMillis: number; readonly expiresAtMillis: number },
): Promise<void> {
  await tx.query(sql`
    insert into oauth_authorization_codes (
      project_id, code_hash, user_id, provider_id, redirect_uri, code_challenge, is_new_user,
      after_callback_redirect_url, provider_sign_in, created_at_millis, expires_at_millis
    ) values (
      ${projectId}, ${code.hash}, ${code.userId ?? null}, ${code.providerId}, ${code.redirectUri}, ${code.codeChallenge},
      ${code.isNewUser}, ${code.afterCallbackRedirectUrl}, ${code.providerSignIn}, ${code.nowMillis},
      ${code.expiresAtMillis}
    )
  `);
}

export interface AuthorizationCodeRow {
  readonly userId: string | null;
  readonly providerId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly afterCallbackRedirectUrl: string | null;
  /** Encrypted; null once the code is used, and in a code of an older version. */
  readonly providerSignIn: Buffer | null;
  readonly expiresAtMillis: number;
  readonly usedAtMillis: number | null;
}

export async function selectAuthorizationCode(
  db: Queryable,
  projectId: string,
  hash: Buffer,
): Promise<AuthorizationCodeRow | undefined> {
  const [row] = await db.query<AuthorizationCodeRow>(sql`
    select user_id as "userId", provider_id as "providerId", redirect_uri as "redirectUri", code_challenge as "codeChallenge",
      after_callback_redirect_url as "afterCallbackRedirectUrl", provider_sign_in as "providerSignIn",
      expires_at_millis as "expiresAtMillis", used_at_millis as "usedAtMillis"
    from oauth_authorization_codes where project_id = ${projectId} and code_hash = ${hash}
  `);
  return row;
}

/** One conditional update: of concurrent callers one gets true (control 50). */
export async function spendAuthorizationCode(
  db: Queryable,
  projectId: string,
  hash: Buffer,
  nowMillis: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    update oauth_authorization_codes set used_at_millis = ${nowMillis}, provider_sign_in = null
    where project_id = ${projectId} and code_hash = ${hash} and used_at_millis is null and expires_at_millis > ${nowMillis}
    returning code_hash
  `);
  return rows.length > 0;
}

/** Records the user and the session or attempt of a code. */
export async function recordExchange(
  tx: Transaction,
  projectId: string,
  hash: Buffer,
  given: { userId: string; sessionId: string | null; attemptId: string | null },
): Promise<void> {
  await tx.query(sql`
    update oauth_authorization_codes
    set user_id = ${given.userId}, session_id = ${given.sessionId}, attempt_id = ${given.attemptId}
    where project_id = ${projectId} and code_hash = ${hash}
  `);
}

/** Deletes the session of a code, or its second-factor attempt and the session that this has opened. */
export async function revokeExchange(tx: Transaction, projectId: string, hash: Buffer): Promise<void> {
  const rows = await tx.query<{ sessionId: string | null; attemptId: string | null }>(sql`
    select session_id as "sessionId", attempt_id as "attemptId"
    from oauth_authorization_codes where project_id = ${projectId} and code_hash = ${hash} for update
  `);
  // No rows when the user was deleted meanwhile.
  for (const { sessionId, attemptId } of rows) {
    const opened = attemptId === null ? sessionId : await deleteAttempt(tx, projectId, attemptId);
    if (opened != null) await deleteSession(tx, projectId, opened);
  }
}

/**
 * Ends the OAuth flows of a user: links that the user has begun, and unused authorization codes that would sign the
 * user in. Used codes stay, so that a second use is detected (control 50).
 *
 * @param providerId undefined ends the flows of all providers
 */
export async function endPendingFlows(
  tx: Transaction,
  { projectId, userId }: UserId,
  providerId?: string,
): Promise<void> {
  await tx.query(sql`
    delete from oauth_flows
    where project_id = ${projectId} and user_id = ${userId}
      and provider_id = coalesce(${providerId ?? null}, provider_id)
  `);
  await tx.query(sql`
    delete from oauth_authorization_codes
    where project_id = ${projectId} and user_id = ${userId} and used_at_millis is null
      and provider_id = coalesce(${providerId ?? null}, provider_id)
  `);
}
