import { emailMaxLength } from '../limits.ts';

/** The pattern of the HTML standard for email fields. Linear: no text matches in two ways. */
const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** The *plain* syntax of docs/contract/envelope.md#validation, but not empty. */
export function isEmail(value: string): boolean {
  return value.length <= emailMaxLength && htmlEmail.test(value);
}

/** *isEmail*, without misplaced dots in the local part, and with a dotted domain that ends in at least two characters. */
export function isStrictEmail(value: string): boolean {
  if (!isEmail(value)) return false;
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split('.');
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false;
  return labels.length > 1 && (labels.at(-1) ?? '').length >= 2;
}
