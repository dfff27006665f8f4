import { authJsonHeader } from '@tessera/protocol/headers';
import type { RequestCookies, RequestLike } from '../../app/config/options.ts';
import type { Tokens } from '../tokens.ts';
import { type CookieScope, parseCookies } from './cookies.ts';
import { createRequestCookieStore } from './request-cookie-store.ts';
import { isTokenText, serverTokensFrom } from './server-cookies.ts';
import { createMemoryStore, type TokenStore } from './store.ts';

/** The store of a request: of its headers, where nothing is written back, or of its cookies and those of its response. */
export function createRequestStore(init: RequestLike | RequestCookies, scope: CookieScope): TokenStore {
  // A request of Next.js has both.
  if ('headers' in init) return createMemoryStore(tokensOfRequest(init, scope.projectId));
  return createRequestCookieStore(init, scope);
}

/** The tokens that came with a request: those of `x-stack-auth`, else those of its cookies. */
function tokensOfRequest({ headers }: RequestLike, projectId: string): Tokens {
  const auth = headerOf(headers, authJsonHeader);
  if (!auth) return serverTokensFrom(parseCookies(headerOf(headers, 'cookie') ?? ''), projectId);
  const tokens = readAuthJson(auth);
  if (tokens === undefined) {
    // Without the parser's error, which quotes the header: it holds tokens.
    throw new Error(`The header ${authJsonHeader} must be a JSON object with accessToken and refreshToken.`);
  }
  return tokens;
}

/** A header by its lower-case name. Node gives headers as an object, with a list where one came several times. */
export function headerOf(headers: RequestLike['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.join('; ');
}

/** The tokens in the value of an `x-stack-auth` header; undefined when it is malformed. */
export function readAuthJson(text: string): Tokens | undefined {
  const { accessToken, refreshToken } = objectOf(text);
  return isToken(accessToken) && isToken(refreshToken) ? { accessToken, refreshToken } : undefined;
}

function objectOf(text: string): { readonly accessToken?: unknown; readonly refreshToken?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isToken(value: unknown): value is string | null {
  return value === null || isTokenText(value);
}
