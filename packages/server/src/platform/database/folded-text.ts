import { type Statement, sql } from './sql.ts';

/** Letters without a decomposition in Unicode, as PostgreSQL's `unaccent` writes them; and the two forms of sigma as one. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};

/**
 * A text in the form in which texts are searched: lower case, one normal form, and without the accents of Latin, Greek and
 * Cyrillic letters. The marks of other scripts make other letters, so they stay; and so does a text of nothing but accents.
 */
export function foldText(text: string): string {
  const folded = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll(/[ßæœþøđðłıς]/g, letter => plainLetters[letter] ?? letter);
  return folded || text;
}

/** The same in PostgreSQL, where an index needs it: the expression of `teams_search_folded`. */
export function foldedText(text: Statement): Statement {
  return sql`translate(replace(replace(replace(replace(
    normalize(regexp_replace(lower(normalize(${text}, NFD)), '[\\u0300-\\u036f]', '', 'g')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđðłıς', 'oddliσ')`;
}
