/** No cookies, no cache. Cloudflare Workers, known by WebSocketPair, refuse these options. */
export function fetchMode(): RequestInit {
  return 'WebSocketPair' in globalThis ? {} : { credentials: 'omit', cache: 'no-store' };
}
