/** The number of characters one name may take in the URI, so that the whole fits the QR code. */
const mostCharacters = 50;

/** Cuts a name to the space it has in the URI of a TOTP key, never inside a character. */
export function fittingName(name: string): string {
  const letters = [...name];
  while (encodeURIComponent(letters.join('')).length > mostCharacters) letters.pop();
  return letters.join('');
}
