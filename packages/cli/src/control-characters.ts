/** Removes control characters: names come from users and must not move the cursor or colour the terminal. */
export function stripControlCharacters(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{FFFD}');
}

/** Removes control characters from text of several lines. */
export function stripControlCharactersOfLines(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{C}/gu, '\u{FFFD}');
}

/** Escapes the control characters that JSON allows in strings, such as C1 and bidirectional marks. The value stays the same. */
export function escapeControlCharacters(json: string): string {
  return json.replaceAll(/(?!\n)\p{C}/gu, character => character.split('').map(toEscape).join(''));
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
