/** The functions of Next.js that the SDK needs on a server: those of `next/headers` and `next/navigation`. */
export interface NextFunctions {
  /** `cookies` of `next/headers`. */
  cookies(): NextCookies | Promise<NextCookies>;
  /** `headers` of `next/headers`: says whether the site is on https. */
  headers?(): NextHeaders | Promise<NextHeaders>;
  /** `redirect` of `next/navigation`. */
  redirect?(url: string, type?: unknown): never;
}

interface NextCookies {
  getAll(): readonly { readonly name: string; readonly value: string }[];
  set(name: string, value: string, options?: object): unknown;
  delete(name: string): unknown;
}

interface NextHeaders {
  get(name: string): string | null;
}
