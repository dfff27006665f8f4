import { describe, expect, test } from 'vitest';
import { endUserPlace } from './geo.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
const ip = '203.0.113.7';
const nothing = {
  countryCode: null,
  regionCode: null,
  cityName: null,
  latitude: null,
  longitude: null,
  tzIdentifier: null,
};

const placeFor = (headers: Record<string, string>) => endUserPlace(new Headers(headers));

describe('the user agents whose location is read', () => {
  test.each(['Mozilla/5.0', 'x Chrome/140', 'Version/26 Safari/605', 'HeadlessChrome'])('a browser: %s', agent => {
    expect(placeFor({ 'user-agent': agent, 'x-real-ip': ip })).toEqual({ ip, ...nothing });
  });

  test.each(['', 'node', 'curl/8.5', 'mozilla', 'chrome', 'undici'])('no browser: %j', agent => {
    expect(placeFor({ 'user-agent': agent, 'x-real-ip': ip })).toBeUndefined();
  });

  test('a request without a user agent has no location', () => {
    expect(placeFor({ 'x-real-ip': ip })).toBeUndefined();
  });
});

describe('the headers that the address is read from', () => {
  const all = {
    'cf-connecting-ip': '192.0.2.1',
    'x-vercel-forwarded-for': '192.0.2.2',
    'x-real-ip': '192.0.2.3',
    'x-forwarded-for': '192.0.2.4, 192.0.2.5',
  };
  const names = Object.keys(all) as (keyof typeof all)[];

  test.each(names.map((name, index) => [name, index] as const))(
    '%s takes precedence over those after it',
    (_, index) => {
      const headers = Object.fromEntries(names.slice(index).map(name => [name, all[name]]));
      expect(placeFor({ ...browser, ...headers })).toEqual({ ip: `192.0.2.${index + 1}`, ...nothing });
    },
  );

  test('an empty header is ignored', () => {
    const headers = { ...browser, ...all, 'cf-connecting-ip': '', 'x-vercel-forwarded-for': ' ' };
    expect(placeFor(headers)).toEqual({ ip: '192.0.2.3', ...nothing });
  });

  test('an invalid address is not replaced by that of the next header', () => {
    expect(placeFor({ ...browser, ...all, 'cf-connecting-ip': 'nonsense' })).toBeUndefined();
  });

  test('without an address header there is no location, whatever other headers say', () => {
    expect(placeFor({ ...browser, 'cf-ipcountry': 'AT', 'x-vercel-ip-city': 'Wien' })).toBeUndefined();
  });

  test.each(['2001:db8::1', '::ffff:192.0.2.1', '::', '0.0.0.0', '255.255.255.255'])('%s is an address', address => {
    expect(placeFor({ ...browser, 'x-real-ip': address })).toMatchObject({ ip: address });
  });

  test.each([
    '256.1.1.1',
    '1.2.3',
    '01.2.3.4',
    '192.0.2.1:443',
    '[2001:db8::1]',
    'example.com',
    '<script>alert(1)</script>',
    "'; drop table users; --",
    '192.0.2.1 192.0.2.2',
    '\xff',
    'fe80::1%eth0',
    '1'.repeat(100),
  ])('%s is not an address', address => {
    expect(placeFor({ ...browser, 'x-real-ip': address })).toBeUndefined();
  });

  test('an IPv6 address with a long zone is not an address', () => {
    expect(placeFor({ ...browser, 'x-real-ip': `::1%${'a'.repeat(10_000)}` })).toBeUndefined();
  });

  test.each([
    ['192.0.2.9', '192.0.2.9'],
    ['  192.0.2.9  , nonsense', '192.0.2.9'],
    ['192.0.2.9,', '192.0.2.9'],
  ])('the first element of x-forwarded-for counts: %j', (value, found) => {
    expect(placeFor({ ...browser, 'x-forwarded-for': value })).toMatchObject({ ip: found });
  });

  test.each([', 192.0.2.9', 'unknown, 192.0.2.9'])('a later element of x-forwarded-for is ignored: %j', value => {
    expect(placeFor({ ...browser, 'x-forwarded-for': value })).toBeUndefined();
  });
});

describe('the location', () => {
  const at = (headers: Record<string, string>) => placeFor({ ...browser, 'x-real-ip': ip, ...headers });

  test('has all fields of the headers', () => {
    expect(
      at({
        'x-vercel-ip-country': 'AT',
        'x-vercel-ip-country-region': '9',
        'x-vercel-ip-city': 'Wien',
        'x-vercel-ip-latitude': '48.2082',
        'x-vercel-ip-longitude': '-16.3738',
        'x-vercel-ip-timezone': 'Europe/Vienna',
      }),
    ).toEqual({
      ip,
      countryCode: 'AT',
      regionCode: '9',
      cityName: 'Wien',
      latitude: 48.2082,
      longitude: -16.3738,
      tzIdentifier: 'Europe/Vienna',
    });
  });

  test.each([
    [{ 'cf-ipcountry': 'DE', 'x-vercel-ip-country': 'AT' }, 'DE'],
    [{ 'cf-ipcountry': '', 'x-vercel-ip-country': 'AT' }, 'AT'],
    [{ 'cf-ipcountry': '' }, null],
    [{ 'cf-ipcountry': 'de' }, 'DE'],
    [{ 'cf-ipcountry': 'XX' }, null],
    [{ 'cf-ipcountry': '<img src=x onerror=alert(1)>' }, null],
  ] as const)('the country of %j is %j', (headers, countryCode) => {
    expect(at(headers)).toEqual({ ip, ...nothing, countryCode });
  });

  test.each(['', 'north', 'NaN', 'Infinity', '-Infinity', '1e400', '90.1', '-91', '48,2', '48.2 north', '{}'])(
    'the latitude %j is refused',
    value => {
      expect(at({ 'x-vercel-ip-latitude': value })).toEqual({ ip, ...nothing });
    },
  );

  test.each([
    ['180', 180],
    ['-180', -180],
    ['0', 0],
    ['180.5', null],
  ])('the longitude %j is %j', (value, longitude) => {
    expect(at({ 'x-vercel-ip-longitude': value })).toEqual({ ip, ...nothing, longitude });
  });

  test('has texts that are cut to the maximum length, so that a row stays small', () => {
    const long = 'x'.repeat(30_000);
    const place = at({ 'x-vercel-ip-country-region': long, 'x-vercel-ip-city': long, 'x-vercel-ip-timezone': long });
    expect(JSON.stringify(place).length).toBeLessThan(1_000);
  });
});
