import type { ImportedUser } from '../features/admin/user-administration.ts';

type Cell = ImportedUser[string];

/** Yes or no as files write it. Any other text stays as it is, so that the report names the row. */
export function readBoolean(text: string): Cell {
  const word = text.trim().toLowerCase();
  if (['true', 't', 'yes', 'y', '1'].includes(word)) return true;
  return ['false', 'f', 'no', 'n', '0'].includes(word) ? false : text;
}

/**
 * Whether the address of a row is verified. Other systems write yes or no, the time of the verification, or a list of
 * the addresses that are verified.
 */
export function readVerified(cell: Cell, address: Cell | undefined): Cell {
  const value = Array.isArray(cell) ? cell.join(' ') : cell;
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d{2}-\d{2}/.test(value.trim())) return true;
  const verified = value.toLowerCase().split(/[\s,;|]+/);
  if (verified.some(text => text.includes('@'))) return verified.includes(String(address).toLowerCase());
  return readBoolean(value);
}

/** Whether an empty cell of the column means no. In a column with yes or no it means that the row does not say it. */
export function isNoWithoutValue(plainColumn: string): boolean {
  return ['verifiedemailaddresses', 'emailconfirmedat', 'emailverifiedat'].includes(plainColumn);
}
