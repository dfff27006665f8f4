/** Control and format characters, among them those that change the text direction, and characters without a shape. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;
/** The zero-width joiners between letters and emoji. */
const joiners = '\u200c\u200d';

/**
 * A name that a user chose, for use in a sentence or a header line: each unprintable character is a space, except for the
 * zero-width joiners. Empty when no character of the name is visible.
 *
 * @example
 * printableText('Ada\u202e'); // 'Ada'
 */
export function printableText(name: string): string {
  if (name.replace(unprintable, '').trim() === '') return '';
  return name.replace(unprintable, character => (joiners.includes(character) ? character : ' ')).trim();
}
