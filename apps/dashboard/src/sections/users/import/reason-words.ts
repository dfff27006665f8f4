import { importFields } from '@tessera/client/import-file';
import { words } from './words.ts';

/** What a value must be, by the expectation of the schema. */
const expectations: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/Invalid input: expected boolean, received \w+/, words.mustBe.yesOrNo],
  [/Invalid input: expected (?:number|int), received \w+/, words.mustBe.time],
  [/Invalid input: expected array, received \w+/, words.mustBe.list],
  [/Invalid input: expected string, received \w+/, words.mustBe.text],
];

/** The reason of the server for a row, with the words of the screen instead of the names of the API. */
export function reasonWords(reason: string): string {
  const named = importFields.reduce(
    (text, field) => text.replace(new RegExp(`\\b${field}\\b`, 'g'), words.fields[field]),
    reason,
  );
  return expectations.reduce((text, [pattern, sentence]) => text.replace(pattern, sentence), named);
}
