/**
 * Parses an absolute URL, or one that is relative to `base`, as the WHATWG standard defines.
 *
 * `URL.canParse` is not used: in Node 20 it returns false for valid URLs with letters such as `ü` after V8 has optimized
 * its caller, so a check would depend on how often it ran before.
 *
 * @returns undefined for a text that is not a URL
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
