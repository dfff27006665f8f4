import { describe, expect, it } from 'vitest';
import { placeName } from './place-name.ts';

describe('the name of a place', () => {
  const place = (cityName: string | null, countryCode: string | null) => ({ ip: '203.0.113.7', cityName, countryCode });

  it.each([
    ['city and country', place('Turin', 'IT'), 'Turin, Italy'],
    ['city alone', place('Turin', null), 'Turin'],
    ['country alone', place(null, 'it'), 'Italy'],
    ['a country code that is none', place(null, '<b>'), '<b>'],
    ['an address without a place', place(null, null), undefined],
    ['nothing', null, undefined],
  ])('has %s', (_, given, expected) => {
    expect(placeName(given, 'en')).toBe(expected);
  });

  it('follows the language', () => {
    expect(placeName(place('Turin', 'IT'), 'de')).toBe('Turin, Italien');
  });
});
