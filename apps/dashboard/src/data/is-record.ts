import type { Json } from '@tessera/client';

/** A JSON object: values by name. */
export type JsonRecord = { readonly [name: string]: Json };

/** Whether a JSON value is an object, and no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
