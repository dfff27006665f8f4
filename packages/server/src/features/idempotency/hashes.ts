import { createHash, createHmac } from 'node:crypto';
import type { KeyedWrite } from '../../http/keyed-write.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';

/** Hash of key, caller and route: identifies one write. */
export function scopeHashOf({ key, caller, route }: KeyedWrite): Buffer {
  return sha256(JSON.stringify([key, caller.map(part => part ?? null), route]));
}

/**
 * Hash of the request: detects a reused key with another request. A request may contain a password, so a plain hash would
 * let a reader of the table try a list of passwords. The secret of the installation and the key of the write, which the
 * table does not contain, prevent that.
 */
export function requestHashOf({ key, request }: KeyedWrite, installationKey: Buffer): Buffer {
  return createHmac('sha256', installationKey)
    .update(JSON.stringify([key, request.map(hashBytes)]))
    .digest();
}

/** `JSON.stringify` writes bytes as an object with a key for each. */
function hashBytes(part: unknown): unknown {
  return part instanceof Uint8Array ? { bytes: createHash('sha256').update(part).digest('base64') } : part;
}
