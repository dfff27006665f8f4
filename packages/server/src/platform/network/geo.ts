import { isIP } from 'node:net';

/** Where a browser says that it is, or its proxy does. Anybody can write these headers: for display only. */
export interface EndUserPlace {
  readonly ip: string;
  readonly countryCode: string | null;
  readonly regionCode: string | null;
  readonly cityName: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly tzIdentifier: string | null;
}

const maxLength = 200;
const browserLike = /Mozilla|Chrome|Safari/;

/**
 * Undefined for what is no browser, or has no valid address
 * (docs/contract/tokens-and-sessions.md#last-use-and-location).
 */
export function endUserPlace(headers: Headers): EndUserPlace | undefined {
  if (!browserLike.test(headers.get('user-agent') ?? '')) return undefined;
  const ip = forwardedAddress(headers);
  if (ip === undefined || !isAddress(ip)) return undefined;
  return {
    ip,
    countryCode: text(headers, 'cf-ipcountry') ?? text(headers, 'x-vercel-ip-country'),
    regionCode: text(headers, 'x-vercel-ip-country-region'),
    cityName: text(headers, 'x-vercel-ip-city'),
    latitude: degrees(headers, 'x-vercel-ip-latitude', 90),
    longitude: degrees(headers, 'x-vercel-ip-longitude', 180),
    tzIdentifier: text(headers, 'x-vercel-ip-timezone'),
  };
}

function forwardedAddress(headers: Headers): string | undefined {
  const single = ['cf-connecting-ip', 'x-vercel-forwarded-for', 'x-real-ip'].map(name => headers.get(name));
  const [first] = (headers.get('x-forwarded-for') ?? '').split(',');
  return [...single, first].find(value => value)?.trim();
}

/** A zone is no part of an address, and may be of any length. */
function isAddress(value: string): boolean {
  return isIP(value) !== 0 && !value.includes('%');
}

function text(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value ? value.slice(0, maxLength) : null;
}

function degrees(headers: Headers, name: string, limit: number): number | null {
  const value = headers.get(name);
  const number = value ? Number(value) : Number.NaN;
  return Math.abs(number) <= limit ? number : null;
}
