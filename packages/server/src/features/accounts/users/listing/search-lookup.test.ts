import { describe, expect, test } from 'vitest';
import { groupByTrigram, planLookup, type SearchSample } from './search-lookup.ts';

function sampleOf(texts: readonly string[], userCount: number): SearchSample {
  return { userCount, texts, byTrigram: groupByTrigram(texts) };
}

/** Of 1,000 texts, all have `anna`, 100 have `berg`, and 2 others have `xylo`. */
const texts = Array.from({ length: 1_000 }, (_, number) => {
  const parts = ['anna', number % 10 === 0 && 'berg', number % 500 === 1 && 'xylo'];
  return [...parts.filter(part => part !== false), `#${number}`].join(' ');
});
const million = sampleOf(texts, 1_000_000);

describe('planLookup', () => {
  test.each<[string, string, ReturnType<typeof planLookup>]>([
    ['one character is left to the planner', 'a', undefined],
    ['two characters are a beginning', 'an', 'beginning'],
    ['punctuation is a beginning', '...', 'beginning'],
    ['a word that fills a page soon is read in order', 'anna', 'in order'],
    ['three letters of one user are looked up', 'zzz', ['zzz', 'zzz', 'zzz']],
    ['four letters have two trigrams', 'xylo', ['xyl', 'ylo', 'ylo']],
    ['a trigram that excludes more is preferred to a rarer one', 'xylo berg', ['xyl', 'ber', 'ylo']],
    ['a rare search of frequent trigrams is left to the planner', 'berg anna', undefined],
    ['a search without letters of ASCII is left to the planner', 'мария', undefined],
    ['wildcards are no part of a trigram', '%ab_c%de\\f', undefined],
  ])('%s', (_, search, lookup) => {
    expect(planLookup(search, million, 100)).toEqual(lookup);
  });

  test('a larger project needs a rarer word for a lookup', () => {
    const lookups = [1_000, 1_000_000, 100_000_000].map(count => planLookup('xylo', sampleOf(texts, count), 100));
    expect(lookups.map(lookup => lookup === 'in order')).toEqual([false, false, true]);
  });

  test('without a sample the planner decides', () => {
    expect(planLookup('anna', sampleOf([], -1), 100)).toBeUndefined();
  });
});
