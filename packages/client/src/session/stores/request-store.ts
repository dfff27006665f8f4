import { authJsonHeader } from '@tessera/protocol/headers';
import type { RequestLike, Tokens } from '../../app/options.ts';
import { parseCookies, tokensFrom } from './cookies.ts';

/** The tokens that came with a request: those of `x-stack-auth`, else those of its cookies. */
export function tokensOfRequest({ headers }: RequestLike, projectId: string): Tokens {
  const auth = headerOf(headers, authJsonHeader);
  return auth ? tokensOfAuthJson(auth) : tokensFrom(parseCookies(headerOf(headers, 'cookie') ?? ''), projectId);
}

/** Node gives headers as an object, with a list where one came several times. */
function headerOf(headers: RequestLike['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.join('; ');
}

function tokensOfAuthJson(text: string): Tokens {
  const { accessToken, refreshToken } = parseAuthJson(text);
  return { accessToken: assertToken(accessToken), refreshToken: assertToken(refreshToken) };
}

function parseAuthJson(text: string): { accessToken?: unknown; refreshToken?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's error quotes the header, which holds tokens.
    throw malformedHeader();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformedHeader();
  return value;
}

function assertToken(value: unknown): string | null {
  if (value !== null && typeof value !== 'string') throw malformedHeader();
  return value;
}

function malformedHeader(): Error {
  return new Error(`The header ${authJsonHeader} must be a JSON object with accessToken and refreshToken.`);
}
