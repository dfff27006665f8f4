/** The functions of `next/headers`, `next/navigation` and `next/server` that the SDK needs on a server. */
export interface NextFunctions {
  /** `cookies` of `next/headers`. */
  cookies(): NextCookies | Promise<NextCookies>;
  /** `headers` of `next/headers`. The SDK reads from it whether the site uses https. */
  headers?(): NextHeaders | Promise<NextHeaders>;
  /** `redirect` of `next/navigation`. */
  redirect?(url: string, type?: unknown): never;
  /**
   * `connection` of `next/server`. With it no prefetch renders what depends on the user: the SDK compares the expiry of
   * a token with the clock, and Next.js reports a clock that is read while it prefetches.
   */
  connection?(): Promise<void>;
}

interface NextCookies {
  getAll(): readonly { readonly name: string; readonly value: string }[];
  // Not `options?: object`: with `exactOptionalPropertyTypes`, the jar of Next.js does not accept undefined.
  set(...cookie: [name: string, value: string, options: object] | [name: string, value: string]): unknown;
}

interface NextHeaders {
  get(name: string): string | null;
}
