import { describe, expect, it } from 'vitest';
import { deviceName, placeName } from './device-name.ts';

describe('the name of a device', () => {
  it.each([
    ['Chrome 143', 'macOS 15.1', 'Chrome 143 · macOS 15.1'],
    ['Chrome 143', null, 'Chrome 143'],
    [null, 'macOS 15.1', 'macOS 15.1'],
    [null, null, undefined],
  ])('of browser %s and system %s is %s', (browser, system, expected) => {
    expect(deviceName({ browser, system })).toBe(expected);
  });
});

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
