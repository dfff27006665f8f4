import { authJsonHeader } from '@tessera/protocol/headers';
import type { RequestLike, Tokens } from '../../options.ts';
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
  const { accessToken, refreshToken } = parsed(text);
  return { accessToken: tokenFrom(accessToken, text), refreshToken: tokenFrom(refreshToken, text) };
}

function parsed(text: string): { accessToken?: unknown; refreshToken?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(text, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(text);
  return value;
}

function tokenFrom(value: unknown, text: string): string | null {
  if (value !== null && typeof value !== 'string') throw malformed(text);
  return value;
}

function malformed(text: string, cause?: unknown): Error {
  return new Error(`The header ${authJsonHeader} must be a JSON object with accessToken and refreshToken: ${text}`, {
    cause,
  });
}
