import { ownLimitMax } from '@tessera/client/internals';
/** The limit that was entered: null for an empty field, undefined for a text that is not a limit. */
export function readLimit(text: string): number | null | undefined {
  const value = text.trim();
  if (value === '') return null;
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  return count >= 1 && count <= ownLimitMax ? count : undefined;
}
