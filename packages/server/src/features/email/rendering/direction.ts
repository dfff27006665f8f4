import type { MailBlock, MailContent } from './content.ts';

export type Direction = 'ltr' | 'rtl';

const letter = /\p{L}/gu;
const rightToLeft = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}]/gu;
/** Variables and targets of links: the language of the author does not decide their letters. */
const foreign = /\{\{[^{}]*\}\}|\]\([^()\s]*\)/g;
/** Characters of a block that are read. */
const readMax = 500;

/** The direction in which most letters of an author's text are read, before names and links are filled in. */
export function directionOf(content: MailContent): Direction {
  const texts = Object.values(content).map(block => wordsOf(block).slice(0, readMax).replace(foreign, ''));
  const count = (letters: RegExp) => texts.reduce((sum, text) => sum + (text.match(letters)?.length ?? 0), 0);
  return count(rightToLeft) * 2 > count(letter) ? 'rtl' : 'ltr';
}

function wordsOf({ type, data }: MailBlock): string {
  return type === 'Heading' || type === 'Text' || type === 'Button' ? (data.props?.text ?? '') : '';
}
