import { sha256 } from '../../platform/crypto/secrets.ts';
import type { KeyedWrite } from './rules.ts';

/** Identifies a write by its key, caller and route. */
export function scopeHashOf({ key, caller, route }: KeyedWrite): Buffer {
  return sha256(JSON.stringify([key, caller.map(part => part ?? null), route]));
}

/** Tells whether a repeated key comes with the same request. */
export function requestHashOf({ request }: KeyedWrite): Buffer {
  return sha256(JSON.stringify(request));
}
