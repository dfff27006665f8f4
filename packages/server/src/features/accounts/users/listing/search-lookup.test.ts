import { describe, expect, test } from 'vitest';
import { groupByTrigram, planLookup, type SearchSample } from './search-lookup.ts';
import { periodsWith } from './sign-up-periods.ts';

const day = 24 * 3_600_000;
const page = { limit: 100, isDescending: false, teamId: undefined };

function sampleOf(texts: readonly string[], userCount: number, signUpTimes: readonly number[] = []): SearchSample {
  return { userCount, texts, byTrigram: groupByTrigram(texts), signUpTimes };
}

/** Of 1,000 texts, all have `anna`, 100 have `berg`, and 2 others have `xylo`. */
const texts = Array.from({ length: 1_000 }, (_, number) => {
  const parts = ['anna', number % 10 === 0 && 'berg', number % 500 === 1 && 'xylo'];
  return [...parts.filter(part => part !== false), `#${number}`].join(' ');
});
const million = sampleOf(texts, 1_000_000);

function lookupOf(...trigrams: [string, string, string]) {
  return { trigrams, periods: undefined };
}

describe('planLookup', () => {
  test.each<[string, string, ReturnType<typeof planLookup>]>([
    ['one character is left to the planner', 'a', undefined],
    ['two characters are a beginning', 'an', 'beginning'],
    ['punctuation is a beginning', '...', 'beginning'],
    ['a word that fills a page soon is read in order', 'anna', 'in order'],
    ['three letters of one user are looked up', 'zzz', lookupOf('zzz', 'zzz', 'zzz')],
    ['four letters have two trigrams', 'xylo', lookupOf('xyl', 'ylo', 'ylo')],
    ['a trigram that excludes more is preferred to a rarer one', 'xylo berg', lookupOf('xyl', 'ber', 'ylo')],
    ['a rare search of frequent trigrams is left to the planner', 'berg anna', undefined],
    ['a search without letters of ASCII is left to the planner', 'мария', undefined],
    ['wildcards are no part of a trigram', '%ab_c%de\\f', undefined],
  ])('%s', (_, search, lookup) => {
    expect(planLookup(search, million, page)).toEqual(lookup);
  });

  test('a larger project needs a rarer word for a lookup', () => {
    const lookups = [1_000, 1_000_000, 100_000_000].map(count => planLookup('xylo', sampleOf(texts, count), page));
    expect(lookups.map(lookup => lookup === 'in order')).toEqual([false, false, true]);
  });

  test('without a sample the planner decides', () => {
    expect(planLookup('anna', sampleOf([], -1), page)).toBeUndefined();
  });

  test('a word that thousands have is looked up in the periods that are likely to fill the page', () => {
    const steady = sampleOf(texts, 1_000_000, timesOf(1_000 * day));
    const found = planLookup('xylo', steady, page);
    // 120 of the 1,268 that are certain enough are a tenth of the time.
    expect(found).toMatchObject({
      trigrams: ['xyl', 'ylo', 'ylo'],
      periods: { lengthMillis: 512 * 3_600_000, count: 6 },
    });
    expect(planLookup('xylo', steady, { ...page, teamId: 'one' })).toEqual(lookupOf('xyl', 'ylo', 'ylo'));
    expect(planLookup('anna', steady, page)).toBe('in order');
  });

  test('users who all signed up within minutes are not looked up in periods', () => {
    const imported = sampleOf(texts, 1_000_000, timesOf(600_000));
    expect(planLookup('xylo', imported, page)).toEqual(lookupOf('xyl', 'ylo', 'ylo'));
  });
});

describe('periodsWith', () => {
  const hour = 3_600_000;
  /** 99 days with one percent of the users each, then a day with another one. */
  const growing = [...timesOf(99 * day, 99), 99.5 * day, 100 * day];

  test.each<[string, number, boolean, { hours: number; count: number }]>([
    ['a part of the first day', 0.005, false, { hours: 1, count: 14 }],
    ['the same part of the last day, which grows faster', 0.005, true, { hours: 1, count: 8 }],
    ['ten days', 0.1, false, { hours: 64, count: 5 }],
    ['half of the time', 0.5, false, { hours: 64, count: 20 }],
    ['most of the time', 0.6, false, { hours: 512, count: 4 }],
  ])('%s', (_, share, isDescending, { hours, count }) => {
    expect(periodsWith(share, growing, isDescending)).toMatchObject({ lengthMillis: hours * hour, count });
  });

  test('the share of the periods is that of the time that they cover', () => {
    expect(periodsWith(0.1, timesOf(1_000 * day), false)?.share).toBeCloseTo((6 * 512) / (24 * 1_000));
  });

  test.each<[string, readonly number[]]>([
    ['no times', []],
    ['four hundred years', timesOf(400 * 365 * day)],
    ['users who all signed up at once', timesOf(0)],
  ])('there are none for %s', (_, times) => {
    expect(periodsWith(0.1, times, false)).toBeUndefined();
  });
});

/** From the first to the last one, evenly. */
function timesOf(millis: number, intervals = 100): number[] {
  return Array.from({ length: intervals + 1 }, (_, number) => (millis * number) / intervals);
}
