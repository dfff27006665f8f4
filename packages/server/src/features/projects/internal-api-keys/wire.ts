import type { Answer, internalApiKeyEndpoints } from '@tessera/protocol';
import type { KeyKind } from '../../../core/project.ts';
import type { KeySet } from './store.ts';

type Endpoints = typeof internalApiKeyEndpoints;

interface NewKeysBody {
  readonly has_publishable_client_key: boolean;
  readonly has_secret_server_key: boolean;
  readonly has_super_secret_admin_key: boolean;
}

/** The kinds of keys that a new set gets. */
export function wantedKinds(body: NewKeysBody): KeyKind[] {
  const wanted: [KeyKind, boolean][] = [
    ['publishableClientKey', body.has_publishable_client_key],
    ['secretServerKey', body.has_secret_server_key],
    ['superSecretAdminKey', body.has_super_secret_admin_key],
  ];
  return wanted.filter(([, isWanted]) => isWanted).map(([kind]) => kind);
}

/**
 * docs/contract/api-keys.md#internal-api-keys: after their creation, only the last four characters of the keys are
 * known.
 */
export function keySetView(set: KeySet): Answer<Endpoints['read']> {
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = set.lastFour;
  return {
    ...keySetFields(set),
    ...(publishableClientKey === null ? undefined : { publishable_client_key: { last_four: publishableClientKey } }),
    ...(secretServerKey === null ? undefined : { secret_server_key: { last_four: secretServerKey } }),
    ...(superSecretAdminKey === null ? undefined : { super_secret_admin_key: { last_four: superSecretAdminKey } }),
  };
}

/** The only response that contains the keys. */
export function createdKeySetView(
  set: KeySet,
  keys: Readonly<Partial<Record<KeyKind, string>>>,
): Answer<Endpoints['create']> {
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = keys;
  return {
    ...keySetFields(set),
    ...(publishableClientKey === undefined ? undefined : { publishable_client_key: publishableClientKey }),
    ...(secretServerKey === undefined ? undefined : { secret_server_key: secretServerKey }),
    ...(superSecretAdminKey === undefined ? undefined : { super_secret_admin_key: superSecretAdminKey }),
  };
}

function keySetFields({ id, description, createdAtMillis, expiresAtMillis, manuallyRevokedAtMillis }: KeySet) {
  return {
    id,
    description,
    created_at_millis: createdAtMillis,
    expires_at_millis: expiresAtMillis,
    ...(manuallyRevokedAtMillis === null ? undefined : { manually_revoked_at_millis: manuallyRevokedAtMillis }),
  };
}
