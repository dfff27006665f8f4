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

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether the host of a parsed URL is `localhost`, 127.0.0.1 or `[::1]`.
 *
 * @param hostname as the URL parser has normalized it
 */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.includes(hostname);
}

/**
 * Whether the host of a parsed URL is local: `localhost`, a subdomain of it, or 127.x.y.z. `[::1]` is not
 * (docs/contract/sign-in-methods.md#callback-urls).
 *
 * @param hostname as the URL parser has normalized it
 */
export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
