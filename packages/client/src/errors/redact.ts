/** Text that is this long and unbroken may be a token, a key or a code. A UUID has 36 characters. */
const possibleSecret = /[\w.~+=-]{38,}/g;

/** Foreign text as an error may quote it: without tokens, keys and codes. */
export function withoutSecrets(text: string): string {
  return text.replace(possibleSecret, '[removed]');
}

/** A URL as an error may quote it: without its query and fragment, which may hold codes. */
export function withoutQuery(url: string): string {
  return withoutSecrets(url.replace(/[?#].*$/s, ''));
}
