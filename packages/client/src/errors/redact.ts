/** An unbroken text of this length may be a token, a key or a code. A UUID has 36 characters. */
const possibleSecret = /[\w.~+=-]{38,}/g;

/** Foreign text for an error message, without tokens, keys and codes. */
export function withoutSecrets(text: string): string {
  return text.replace(possibleSecret, '[removed]');
}

/** A URL for an error message, without query and fragment, which may hold codes. */
export function withoutQuery(url: string): string {
  return withoutSecrets(url.replace(/[?#].*$/s, ''));
}
