import { isIP } from 'node:net';
import type { HttpHeaders } from '../../core/http-request.ts';

/** The location that a browser or its proxy states. Any caller can set these headers: for display only. */
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
 * Undefined for a caller that is not a browser or has no valid address
 * (docs/contract/tokens-and-sessions.md#last-use-and-location).
 */
export function endUserPlace(headers: HttpHeaders): EndUserPlace | undefined {
  if (!browserLike.test(headers.get('user-agent') ?? '')) return undefined;
  const ip = forwardedAddress(headers);
  if (ip === undefined || !isAddress(ip)) return undefined;
  return {
    ip,
    countryCode: statedCountry(headers),
    regionCode: readText(headers, 'x-vercel-ip-country-region'),
    cityName: readText(headers, 'x-vercel-ip-city'),
    latitude: readDegrees(headers, 'x-vercel-ip-latitude', 90),
    longitude: readDegrees(headers, 'x-vercel-ip-longitude', 180),
    tzIdentifier: readText(headers, 'x-vercel-ip-timezone'),
  };
}

/** What proxies write for an address without a country. */
const unknownCountries: ReadonlySet<string> = new Set(['XX', 'ZZ']);

/** The country of the caller as a proxy states it: two letters, null when it is not known. */
export function statedCountry(headers: HttpHeaders): string | null {
  const code = countryHeader(headers)?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) && !unknownCountries.has(code) ? code : null;
}

function countryHeader(headers: HttpHeaders): string | null {
  return readText(headers, 'cf-ipcountry') ?? readText(headers, 'x-vercel-ip-country');
}

function forwardedAddress(headers: HttpHeaders): string | undefined {
  const single = ['cf-connecting-ip', 'x-vercel-forwarded-for', 'x-real-ip'].map(name => headers.get(name));
  const [first] = (headers.get('x-forwarded-for') ?? '').split(',');
  return [...single, first].find(value => value)?.trim();
}

/** An IPv6 zone is not part of an address, and its length is not limited. */
function isAddress(value: string): boolean {
  return isIP(value) !== 0 && !value.includes('%');
}

function readText(headers: HttpHeaders, name: string): string | null {
  const value = headers.get(name);
  return value ? value.slice(0, maxLength) : null;
}

function readDegrees(headers: HttpHeaders, name: string, limit: number): number | null {
  const value = headers.get(name);
  const number = value ? Number(value) : Number.NaN;
  return Math.abs(number) <= limit ? number : null;
}
