import { type Queryable, type Transaction, violatedConstraint } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type UserId, updateHasPasskey } from '../users/row/index.ts';

export interface NewPasskey {
  readonly credentialId: string;
  readonly userId: string;
  /** A COSE key. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly deviceType: string;
  readonly isBackedUp: boolean;
  readonly isUserVerified: boolean;
  /** The model of the authenticator; null when it does not name one. */
  readonly aaguid: string | null;
  /** The user agent of the registration. */
  readonly userAgent: string | null;
  readonly createdAtMillis: number;
}

export interface Passkey {
  readonly credentialId: string;
  readonly userId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The user was verified, by a PIN or a fingerprint for example, when the passkey was registered. */
  readonly isUserVerified: boolean;
}

/** The credential is registered already, by this user or another. */
export class AlreadyRegistered extends Error {
  override readonly name = 'AlreadyRegistered';
}

/** @throws AlreadyRegistered */
export async function insertPasskey(tx: Transaction, projectId: string, passkey: NewPasskey): Promise<void> {
  const insert = tx.query(sql`
    insert into passkeys (
      project_id, credential_id, user_id, public_key, counter, transports, device_type, is_backed_up, is_user_verified,
      aaguid, user_agent, created_at_millis
    ) values (
      ${projectId}, ${passkey.credentialId}, ${passkey.userId}, ${passkey.publicKey}, ${passkey.counter},
      ${[...passkey.transports]}, ${passkey.deviceType}, ${passkey.isBackedUp}, ${passkey.isUserVerified},
      ${passkey.aaguid}, ${passkey.userAgent}, ${passkey.createdAtMillis}
    )
  `);
  await insert.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'passkeys_credential') throw error;
    throw new AlreadyRegistered('the credential is registered already');
  });
  await updateHasPasskey(tx, { projectId, userId: passkey.userId }, true);
}

/** The passkeys of a user, oldest first. */
export function selectPasskeysOf(db: Queryable, projectId: string, userId: string): Promise<Passkey[]> {
  return db.query<Passkey>(sql`
    select ${columns} from passkeys where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, credential_id
  `);
}

export async function selectPasskey(
  db: Queryable,
  projectId: string,
  credentialId: string,
): Promise<Passkey | undefined> {
  const [passkey] = await db.query<Passkey>(sql`
    select ${columns} from passkeys where project_id = ${projectId} and credential_id = ${credentialId}
  `);
  return passkey;
}

/** A passkey, for its owner. */
export interface OwnPasskey {
  readonly credentialId: string;
  readonly name: string | null;
  readonly aaguid: string | null;
  readonly userAgent: string | null;
  readonly isBackedUp: boolean;
  readonly createdAtMillis: number;
  readonly lastUsedAtMillis: number | null;
}

/** The passkeys of a user as the owner sees them, oldest first. */
export function selectOwnPasskeys(db: Queryable, { projectId, userId }: UserId): Promise<OwnPasskey[]> {
  return db.query<OwnPasskey>(sql`
    select credential_id as "credentialId", name, aaguid, user_agent as "userAgent", is_backed_up as "isBackedUp",
      created_at_millis as "createdAtMillis", last_used_at_millis as "lastUsedAtMillis"
    from passkeys where project_id = ${projectId} and user_id = ${userId}
    order by created_at_millis, credential_id
  `);
}

/** @returns false when the user has no such passkey */
export async function renamePasskey(
  tx: Transaction,
  { projectId, userId }: UserId,
  { credentialId, name }: { credentialId: string; name: string | null },
): Promise<boolean> {
  const renamed = await tx.query(sql`
    update passkeys set name = ${name}
    where project_id = ${projectId} and credential_id = ${credentialId} and user_id = ${userId}
    returning credential_id
  `);
  return renamed.length > 0;
}

/** Deletes one passkey of a user whose row the caller has locked. */
export async function deletePasskey(tx: Transaction, user: UserId, credentialId: string): Promise<void> {
  const { projectId, userId } = user;
  await tx.query(sql`
    delete from passkeys where project_id = ${projectId} and credential_id = ${credentialId} and user_id = ${userId}
  `);
  const left = await selectOwnPasskeys(tx, user);
  await updateHasPasskey(tx, user, left.length > 0);
}

/**
 * Records a use. Of two uses with the same counter the second is refused, and so is a use of a passkey that the user does
 * not have any more: its credential may be registered for another user since. A use never changes whether the user was
 * verified at the registration (WebAuthn Level 3, 7.2, step 25).
 *
 * @returns false when the use is refused
 */
export async function recordPasskeyUse(
  tx: Transaction,
  { projectId, userId }: UserId,
  credentialId: string,
  use: { counter: number; isBackedUp: boolean; atMillis: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set counter = ${use.counter}, is_backed_up = ${use.isBackedUp},
      last_used_at_millis = ${use.atMillis}
    where project_id = ${projectId} and credential_id = ${credentialId} and user_id = ${userId}
      and (counter < ${use.counter} or (counter = 0 and ${use.counter}::bigint = 0))
    returning credential_id
  `);
  return rows.length > 0;
}

/** Deletes all passkeys of the user (docs/contract/decisions.md#passwords-and-passkeys). */
export async function deletePasskeys(tx: Transaction, user: UserId): Promise<void> {
  await tx.query(sql`delete from passkeys where project_id = ${user.projectId} and user_id = ${user.userId}`);
  await updateHasPasskey(tx, user, false);
}

const columns = sql`
  credential_id as "credentialId", user_id as "userId", public_key as "publicKey", counter, transports,
  is_user_verified as "isUserVerified"
`;
