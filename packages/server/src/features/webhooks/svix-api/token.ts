import { webhookTokenLifetimeMs } from '@tessera/protocol';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';

/** The project that a token grants access to. */
export interface PortalAccess {
  readonly projectId: string;
  /** The owner who requested the token; null for a key. */
  readonly ownerId: string | null;
}

const purpose = 'webhook portal token';
const prefix = 'appsk_';
const content = z.object({ projectId: z.string(), ownerId: z.string().nullable(), expiresAtMillis: z.number() });

interface TokenDeps {
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Encrypts the claim in the token, so nothing is stored. A token is valid for one project and one day. */
export function issuePortalToken(access: PortalAccess, { secrets, clock }: TokenDeps): string {
  const sealed = secrets.encrypt(
    purpose,
    JSON.stringify({ ...access, expiresAtMillis: clock.now() + webhookTokenLifetimeMs }),
  );
  return prefix + sealed.toString('base64url');
}

/** @returns undefined for an invalid or expired token */
export function readPortalToken(token: string, { secrets, clock }: TokenDeps): PortalAccess | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const opened = decryptToken(Buffer.from(token.slice(prefix.length), 'base64url'), secrets);
  if (opened === undefined) return undefined;
  const { projectId, ownerId, expiresAtMillis } = content.parse(JSON.parse(opened));
  return expiresAtMillis > clock.now() ? { projectId, ownerId } : undefined;
}

function decryptToken(sealed: Buffer, secrets: Secrets): string | undefined {
  try {
    return secrets.decrypt(purpose, sealed).toString();
  } catch {
    // Forged, modified, or encrypted by another installation.
    return undefined;
  }
}
