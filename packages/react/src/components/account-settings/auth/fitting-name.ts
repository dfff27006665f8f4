/** As many characters of an address as one name may take, so that the whole fits the QR code. */
const mostCharacters = 50;

/** As much of a name as there is room for in the address of a key, never a part of a letter. */
export function fittingName(name: string): string {
  const letters = [...name];
  while (encodeURIComponent(letters.join('')).length > mostCharacters) letters.pop();
  return letters.join('');
}
