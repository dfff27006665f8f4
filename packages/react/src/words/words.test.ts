import { describe, expect, it } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { closestLanguage } from './languages.ts';
import { createTranslate, type WordKey } from './words.ts';

const keys = Object.keys(en) as WordKey[];

describe('words', () => {
  it('are complete in every language, with the same placeholders', () => {
    expect(Object.keys(de)).toEqual(keys);
    for (const key of keys) expect([key, placeholders(de[key])]).toEqual([key, placeholders(en[key])]);
  });

  it('fill in values and leave unknown placeholders', () => {
    expect(createTranslate(en)('field.passwordHint', { min_length: 8 })).toBe('At least 8 characters');
    expect(createTranslate(en)('field.passwordHint')).toBe('At least {min_length} characters');
  });

  it('fill in names without the characters that change the text direction', () => {
    const name = '\u202eAcme\u2066 & Sons\u202c';
    expect(createTranslate(en)('team.leaveText', { team: name })).toContain('Acme & Sons');
  });

  it('can be overridden by their English text, which must exist', () => {
    expect(createTranslate(de, { 'Show password': 'Zeigen' })('field.passwordShow')).toBe('Zeigen');
    expect(() => createTranslate(en, { 'No such words': '' })).toThrow(/No such words/);
  });

  it.each([
    ['de', 'de'],
    ['de-CH', 'de'],
    ['pt_BR', 'en'],
    ['', 'en'],
    ['constructor', 'en'],
    [undefined, 'en'],
  ])('for %s are %s', (tag, language) => expect(closestLanguage(tag)).toBe(language));
});

function placeholders(sentence: string): string[] {
  return [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
}
