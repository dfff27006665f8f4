import type { AdminOAuthProviderConfig, ProviderId } from '@tessera/client';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { words as common } from '../../words.ts';
import { isAppleId, isPrivateKey, parseAppleKey, toClientSecret } from './apple-key.ts';
import { words } from './words.ts';

/** The form of a provider. */
export interface ProviderValues {
  readonly type: AdminOAuthProviderConfig['type'];
  readonly clientId: string;
  /** Apple: the text of the key file. Empty: the stored one stays. */
  readonly clientSecret: string;
  readonly appleTeamId: string;
  readonly appleKeyId: string;
  readonly microsoftTenantId: string;
  readonly facebookConfigId: string;
}

/** A provider before a change; undefined while it is off. */
export type StoredProvider = AdminOAuthProviderConfig | undefined;

/** The values of the form when it opens. The stored secret is never among them. */
export function firstValues(stored: StoredProvider, hasSharedKeys: boolean): ProviderValues {
  const standard = stored?.type === 'standard' ? stored : undefined;
  const appleKey = storedAppleKey(stored);
  return {
    // Shared keys that the server does not have cannot be chosen: the form opens with own keys.
    type: hasSharedKeys && standard === undefined ? 'shared' : 'standard',
    clientId: standard?.clientId ?? '',
    clientSecret: '',
    appleTeamId: appleKey?.teamId ?? '',
    appleKeyId: appleKey?.keyId ?? '',
    microsoftTenantId: standard?.microsoftTenantId ?? '',
    facebookConfigId: standard?.facebookConfigId ?? '',
  };
}

/** Own keys need a client ID, and a secret unless one is stored for the same client ID. */
export function validateProvider(
  id: ProviderId,
  values: ProviderValues,
  stored: StoredProvider,
): FieldErrors<ProviderValues> {
  if (values.type === 'shared') return {};
  const clientId = values.clientId.trim();
  const secret = values.clientSecret.trim();
  const ofApple = id === 'apple' ? validateAppleKey(values, stored) : {};
  return {
    ...ofApple,
    clientId: clientId === '' ? common.form.required : undefined,
    clientSecret: secret === '' && !keepsSecret(clientId, stored) ? common.form.required : ofApple.clientSecret,
  };
}

/** The ids belong to the key, so a JWT that stays needs none. */
function validateAppleKey(values: ProviderValues, stored: StoredProvider): FieldErrors<ProviderValues> {
  const { appleTeamId, appleKeyId } = values;
  const file = values.clientSecret.trim();
  const isIdNeeded = file !== '' || `${appleTeamId}${appleKeyId}`.trim() !== '' || storedAppleKey(stored) !== undefined;
  const idProblem = (text: string) => (isIdNeeded && !isAppleId(text.trim()) ? words.appleIdForm : undefined);
  return {
    appleTeamId: idProblem(appleTeamId),
    appleKeyId: idProblem(appleKeyId),
    clientSecret: file !== '' && !isPrivateKey(file) ? words.appleKeyForm : undefined,
  };
}

function storedAppleKey(stored: StoredProvider) {
  return stored?.id === 'apple' && stored.type === 'standard' ? parseAppleKey(stored.clientSecret) : undefined;
}

/** A secret belongs to one client ID, so a new client ID needs a new secret. */
function keepsSecret(clientId: string, stored: StoredProvider): boolean {
  return stored?.type === 'standard' && stored.clientId === clientId;
}

/** The configuration of a provider from its form. */
function providerConfig(id: ProviderId, values: ProviderValues, stored: StoredProvider): AdminOAuthProviderConfig {
  if (values.type === 'shared') return { id, type: 'shared' };
  const tenant = values.microsoftTenantId.trim();
  const facebookConfig = values.facebookConfigId.trim();
  return {
    id,
    type: 'standard',
    clientId: values.clientId.trim(),
    clientSecret: clientSecretOf(id, values, stored),
    ...(tenant ? { microsoftTenantId: tenant } : {}),
    ...(facebookConfig ? { facebookConfigId: facebookConfig } : {}),
  };
}

function clientSecretOf(id: ProviderId, values: ProviderValues, stored: StoredProvider): string {
  const given = values.clientSecret.trim();
  const storedSecret = stored?.type === 'standard' ? stored.clientSecret : '';
  if (id !== 'apple') return given || storedSecret;
  const privateKey = given || storedAppleKey(stored)?.privateKey;
  if (privateKey === undefined) return storedSecret;
  return toClientSecret({ teamId: values.appleTeamId.trim(), keyId: values.appleKeyId.trim(), privateKey });
}

/** All providers after a change of one, which was `opened` when its form opened. */
export function changeProvider(
  providers: readonly AdminOAuthProviderConfig[],
  { id, values, opened }: { id: ProviderId; values: ProviderValues; opened: StoredProvider },
): readonly AdminOAuthProviderConfig[] {
  const stored = providers.find(provider => provider.id === id);
  // The secret must belong to the client ID of the form, which another owner may have replaced in the meantime.
  const changed = providerConfig(id, values, keepsSecret(values.clientId.trim(), stored) ? stored : opened);
  return [...providers.filter(provider => provider.id !== id), changed];
}
