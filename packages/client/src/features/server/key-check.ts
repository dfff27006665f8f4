import type { ApiKeyScope } from '../../app/config/register.ts';
import type { Resource, Resources } from '../../cache/resource.ts';
import { loadErrors } from '../../errors/known-errors.ts';
import { orThrow } from '../../errors/result.ts';
import { orNull } from './or-null.ts';

/** The API key of a request, and the scopes that the request needs. */
export interface PresentedApiKey {
  /** The key itself. */
  readonly apiKey: string;
  /** The key must have all of these scopes, or no limit. Default: none is needed. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
}

/** The result of the check of a valid key. `scopes` is null when the key is not limited. */
interface CheckedKey {
  readonly ownerId: string;
  readonly scopes: readonly string[] | null;
}

/** The keys of the cache: the scopes in a fixed order, so that equal requirements share an entry. */
export function keysOf({ apiKey, scopes = [] }: PresentedApiKey): [apiKey: string, scopes: string] {
  return [apiKey, [...scopes].sort().join(' ')];
}

/** A check of an API key is shared only by callers that wait for it, so a revoked key is refused at the next call. */
const keyCheckCacheMs = 0;

interface KeyOwners<Owner> {
  /** @throws API_KEY_NOT_VALID */
  readonly check: (apiKey: string) => Promise<CheckedKey>;
  readonly find: (id: string) => Promise<Owner | null>;
}

/** The owner of a key, by `keysOf`; null for any text that is no valid key. */
export function ownerByKey<Owner>(
  resources: Resources,
  owner: 'user' | 'team',
  { check, find }: KeyOwners<Owner>,
): Resource<[apiKey: string, scopes: string], Owner | null> {
  const checkedKeys = resources.make(`${owner}ByKey`, (apiKey: string) => ({
    load: () => orNull(check(apiKey), ['API_KEY_NOT_VALID']),
  }));
  return resources.make(`${owner}OfKey`, (apiKey: string, scopes: string) => ({
    load: async () => {
      const key = orThrow(await checkedKeys.entry(apiKey).fresherThan(keyCheckCacheMs));
      if (key === null) return null;
      await assertScopes(key, scopes);
      return find(key.ownerId);
    },
  }));
}

/**
 * Compares here, so that one check serves every requirement.
 *
 * @param required the scopes as `keysOf` returns them
 * @throws API_KEY_SCOPE_MISSING
 */
async function assertScopes({ scopes }: CheckedKey, required: string): Promise<void> {
  if (scopes === null) return;
  const missing = required.split(' ').filter(scope => scope !== '' && !scopes.includes(scope));
  if (missing.length === 0) return;
  const { createError } = await loadErrors();
  // The words of the server. Browsers never need them, so they are not among the sentences of the client.
  const message = `This API key does not have the scope ${missing.join(', ')}.`;
  throw createError('API_KEY_SCOPE_MISSING', { missing_scopes: missing }, { message });
}
