import type { Answer, teamApiKeyEndpoints, userApiKeyEndpoints } from '@tessera/protocol';
import type { KeyRequest, PresentedKey } from './keys.ts';
import type { ApiKey } from './store.ts';

/** docs/contract/api-keys.md#key-object, without the owner. */
function keyFields(key: ApiKey) {
  const { id, description, isPublic, createdAtMillis, expiresAtMillis, manuallyRevokedAtMillis, scopes } = key;
  return {
    id,
    description,
    is_public: isPublic,
    created_at_millis: createdAtMillis,
    ...(expiresAtMillis === null ? undefined : { expires_at_millis: expiresAtMillis }),
    ...(manuallyRevokedAtMillis === null ? undefined : { manually_revoked_at_millis: manuallyRevokedAtMillis }),
    ...(scopes === null ? undefined : { scopes: [...scopes] }),
  };
}

function maskKey({ lastFour }: ApiKey) {
  return { last_four: lastFour };
}

export function userKeyView(key: ApiKey): Answer<typeof userApiKeyEndpoints.read> {
  return { ...keyFields(key), type: 'user', user_id: key.owner.id, value: maskKey(key) };
}

export function teamKeyView(key: ApiKey): Answer<typeof teamApiKeyEndpoints.read> {
  return { ...keyFields(key), type: 'team', team_id: key.owner.id, value: maskKey(key) };
}

interface KeyBody {
  readonly description: string;
  readonly expires_at_millis: number | null;
  readonly is_public?: boolean | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export function keyRequest({ description, expires_at_millis, is_public, scopes }: KeyBody): KeyRequest {
  return { description, expiresAtMillis: expires_at_millis, isPublic: is_public ?? false, scopes: scopes ?? null };
}

interface CheckBody {
  readonly api_key: string;
  readonly scopes?: readonly string[] | undefined;
}

export function presentedKey({ api_key, scopes }: CheckBody): PresentedKey {
  return { value: api_key, scopes: scopes ?? [] };
}

interface ChangesBody {
  readonly description?: string | undefined;
  readonly expires_at_millis?: number | null | undefined;
  readonly revoked?: true | undefined;
}

export function keyChanges({ description, expires_at_millis, revoked }: ChangesBody) {
  return { description, expiresAtMillis: expires_at_millis, isRevoked: revoked ?? false };
}
