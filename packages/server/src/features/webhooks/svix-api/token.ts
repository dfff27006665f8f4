import { webhookTokenLifetimeMs } from '@tessera/protocol';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';

/** Who may use the Svix-compatible routes, and for which project. */
export interface PortalAccess {
  readonly projectId: string;
  /** The owner who asked for the token; null where a key did. */
  readonly ownerId: string | null;
}

const purpose = 'webhook portal token';
const prefix = 'appsk_';
const content = z.object({ projectId: z.string(), ownerId: z.string().nullable(), expiresAtMillis: z.number() });

interface TokenDeps {
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Sealed under the installation's key, so that nothing has to be stored: good for one project and one day. */
export function issuePortalToken(access: PortalAccess, { secrets, clock }: TokenDeps): string {
  const sealed = secrets.encrypt(
    purpose,
    JSON.stringify({ ...access, expiresAtMillis: clock.now() + webhookTokenLifetimeMs }),
  );
  return prefix + sealed.toString('base64url');
}

/** Undefined for what is no token, or was one. */
export function readPortalToken(token: string, { secrets, clock }: TokenDeps): PortalAccess | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const opened = opensAs(Buffer.from(token.slice(prefix.length), 'base64url'), secrets);
  if (opened === undefined) return undefined;
  const { projectId, ownerId, expiresAtMillis } = content.parse(JSON.parse(opened));
  return expiresAtMillis > clock.now() ? { projectId, ownerId } : undefined;
}

function opensAs(sealed: Buffer, secrets: Secrets): string | undefined {
  try {
    return secrets.decrypt(purpose, sealed).toString();
  } catch {
    // Made up, changed on the way, or sealed by another installation: none of these is told apart.
    return undefined;
  }
}
