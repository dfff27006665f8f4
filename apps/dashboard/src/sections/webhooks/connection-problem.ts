import { words } from './words.ts';

/** Why a delivery got no response, in words; undefined for a response, and for an error without words. */
export function connectionProblem({
  responseStatusCode,
  response,
}: {
  readonly responseStatusCode: number;
  readonly response: string;
}): string | undefined {
  if (responseStatusCode !== 0) return undefined;
  const codes = response.match(/\b[A-Z][A-Z_]{4,}\b/g) ?? [];
  return codes.map(code => words.connection[code]).find(text => text !== undefined);
}
