import type { KeyedWrite } from '../../http/keyed-write.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';

/** Hash of key, caller and route: identifies one write. */
export function scopeHashOf({ key, caller, route }: KeyedWrite): Buffer {
  return sha256(JSON.stringify([key, caller.map(part => part ?? null), route]));
}

/** Hash of the request: detects a reused key with another request. */
export function requestHashOf({ request }: KeyedWrite): Buffer {
  return sha256(JSON.stringify(request));
}
