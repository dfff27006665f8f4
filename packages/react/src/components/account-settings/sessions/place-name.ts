import type { GeoInfo } from '@tessera/client';

/** "Turin, Italy"; undefined when nothing is known. */
export function placeName(place: GeoInfo | null, locale: string): string | undefined {
  const country = place?.countryCode ? countryName(place.countryCode, locale) : undefined;
  const known = [place?.cityName, country].filter(part => part != null && part !== '');
  return known.length === 0 ? undefined : known.join(', ');
}

/** The code itself when it is not a country code: it comes from a header. */
function countryName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code.toUpperCase()) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}
