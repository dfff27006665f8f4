import { printableText } from '@tessera/client/internals';

/** Longer names are not typed in full. */
const wholeMaxCharacters = 60;
const beginningCharacters = 20;

/** What is typed where a keyboard can type nothing of the name. */
const wordInstead = 'delete';

/** What is typed to confirm an action on a named thing: the name, or the beginning of a long one. */
export function textToType(name: string): string {
  const text = typeable(name) || wordInstead;
  const characters = [...text];
  if (characters.length <= wholeMaxCharacters) return text;
  return characters.slice(0, beginningCharacters).join('').trim();
}

/** Whether a text was typed. Runs of spaces count as one, as the browser shows them. */
export function isTyped(typed: string, asked: string): boolean {
  return typeable(typed) === typeable(asked);
}

function typeable(text: string): string {
  return printableText(text).normalize().replace(/\s+/g, ' ');
}
