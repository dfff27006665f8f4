/** The pattern of the HTML standard for email inputs. */
const htmlEmail =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Whether a typed text is an email address (docs/contract/handler-pages.md#conventions). Spaces around it are ignored. */
export function isEmail(typed: string): boolean {
  const email = typed.trim();
  if (email.length > 320 || !htmlEmail.test(email)) return false;
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false;
  const labels = email.slice(at + 1).split('.');
  return labels.length > 1 && (labels.at(-1) ?? '').length >= 2;
}
