import { webhookTokenLifetimeMs } from '@tessera/protocol';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';

/** The project that a token grants access to, and the credential that it was requested with. */
export interface PortalAccess {
  readonly projectId: string;
  /** The owner who requested the token, with the session; undefined for a key. */
  readonly ownerId?: string | undefined;
  readonly ownerSessionId?: string | undefined;
  /** The set of the key; undefined for an owner. */
  readonly keySetId?: string | undefined;
}

const purpose = 'webhook portal token';
const prefix = 'appsk_';
const content = z.object({
  projectId: z.string(),
  // Null in tokens of earlier versions.
  ownerId: z
    .string()
    .nullish()
    .transform(id => id ?? undefined),
  ownerSessionId: z.string().optional(),
  keySetId: z.string().optional(),
  expiresAtMillis: z.number(),
});

interface TokenDeps {
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Encrypts the claim in the token, so nothing is stored. A token is valid for one project and one day. */
export function issuePortalToken(access: PortalAccess, { secrets, clock }: TokenDeps): string {
  const encrypted = secrets.encrypt(
    purpose,
    JSON.stringify({ ...access, expiresAtMillis: clock.now() + webhookTokenLifetimeMs }),
  );
  return prefix + encrypted.toString('base64url');
}

/** @returns undefined for an invalid or expired token */
export function readPortalToken(token: string, { secrets, clock }: TokenDeps): PortalAccess | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const opened = decryptToken(Buffer.from(token.slice(prefix.length), 'base64url'), secrets);
  if (opened === undefined) return undefined;
  const { expiresAtMillis, ...access } = content.parse(JSON.parse(opened));
  return expiresAtMillis > clock.now() ? access : undefined;
}

function decryptToken(encrypted: Buffer, secrets: Secrets): string | undefined {
  try {
    return secrets.decrypt(purpose, encrypted).toString();
  } catch {
    // Forged, modified, or encrypted by another installation.
    return undefined;
  }
}
