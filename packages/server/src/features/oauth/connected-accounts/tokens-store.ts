import { randomUUID } from 'node:crypto';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

export type ProviderTokenKind = 'access' | 'refresh';

export interface NewProviderToken {
  readonly providerId: string;
  readonly accountId: string;
  readonly kind: ProviderTokenKind;
  /** Encrypted. */
  readonly token: Buffer;
  readonly scopes: readonly string[];
  /** Null for a refresh token. */
  readonly expiresAtMillis: number | null;
  readonly nowMillis: number;
}

/** Stores a token, and deletes expired tokens and those whose scopes it covers. */
export async function insertProviderToken(tx: Transaction, projectId: string, token: NewProviderToken): Promise<void> {
  const { providerId, accountId, kind, nowMillis } = token;
  const scopes = [...token.scopes];
  await tx.query(sql`
    delete from oauth_tokens
    where project_id = ${projectId} and provider_id = ${providerId} and account_id = ${accountId} and kind = ${kind}
      and (scopes <@ ${scopes}::text[] or expires_at_millis <= ${nowMillis})
  `);
  await tx.query(sql`
    insert into oauth_tokens (
      project_id, id, provider_id, account_id, kind, token, scopes, expires_at_millis, created_at_millis
    ) values (
      ${projectId}, ${randomUUID()}, ${providerId}, ${accountId}, ${kind}, ${token.token}, ${scopes}, ${token.expiresAtMillis},
      ${nowMillis}
    )
  `);
}

export interface ProviderTokenRow {
  readonly accountId: string;
  readonly token: Buffer;
  readonly scopes: readonly string[];
}

/** The newest token of a user at a provider that covers the scopes and expires after `aliveAtMillis`. */
export async function selectProviderToken(
  db: Queryable,
  projectId: string,
  asked: {
    readonly userId: string;
    readonly providerId: string;
    readonly kind: ProviderTokenKind;
    readonly scopes: readonly string[];
    readonly aliveAtMillis: number;
  },
): Promise<ProviderTokenRow | undefined> {
  const { userId, providerId, kind, aliveAtMillis } = asked;
  const [row] = await db.query<ProviderTokenRow>(sql`
    select t.account_id as "accountId", t.token, t.scopes from oauth_tokens t
    join oauth_accounts o on o.project_id = ${projectId} and o.provider_id = ${providerId} and o.account_id = t.account_id
    where t.project_id = ${projectId} and t.provider_id = ${providerId} and o.user_id = ${userId} and t.kind = ${kind}
      and t.scopes @> ${[...asked.scopes]}::text[] and coalesce(t.expires_at_millis >= ${aliveAtMillis}, true)
    order by t.created_at_millis desc, t.id limit 1
  `);
  return row;
}

/** Locks a provider account against deletion. @returns false when it is deleted */
export async function holdProviderAccount(
  tx: Transaction,
  projectId: string,
  { providerId, accountId }: { providerId: string; accountId: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    select account_id from oauth_accounts
    where project_id = ${projectId} and provider_id = ${providerId} and account_id = ${accountId} for key share
  `);
  return rows.length > 0;
}
