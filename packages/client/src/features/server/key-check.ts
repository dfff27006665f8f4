import type { ApiKeyScope } from '../../app/config/register.ts';
import { loadErrors } from '../../errors/known-errors.ts';

/** The API key of a request, and the scopes that the request needs. */
export interface PresentedApiKey {
  /** The key itself. */
  readonly apiKey: string;
  /** The key must have all of these scopes, or no limit. Default: none is needed. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
}

/** The result of the check of a valid key. `scopes` is null when the key is not limited. */
export interface CheckedKey {
  readonly ownerId: string;
  readonly scopes: readonly string[] | null;
}

/** The keys of the cache: the scopes in a fixed order, so that equal requirements share an entry. */
export function keysOf({ apiKey, scopes = [] }: PresentedApiKey): [apiKey: string, scopes: string] {
  return [apiKey, [...scopes].sort().join(' ')];
}

/**
 * Compares here, so that one check serves every requirement.
 *
 * @param required the scopes as `keysOf` returns them
 * @throws API_KEY_SCOPE_MISSING
 */
export async function assertScopes({ scopes }: CheckedKey, required: string): Promise<void> {
  if (scopes === null) return;
  const missing = required.split(' ').filter(scope => scope !== '' && !scopes.includes(scope));
  if (missing.length === 0) return;
  const { createError } = await loadErrors();
  // The words of the server. Browsers never need them, so they are not among the sentences of the client.
  const message = `This API key does not have the scope ${missing.join(', ')}.`;
  throw createError('API_KEY_SCOPE_MISSING', { missing_scopes: missing }, { message });
}
