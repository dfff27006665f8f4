import type { AdminOAuthProviderConfig, ProviderId } from '@tessera/client';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { words as common } from '../../words.ts';

/** The form of a provider. */
export interface ProviderValues {
  readonly type: AdminOAuthProviderConfig['type'];
  readonly clientId: string;
  /** Empty: the stored secret stays. */
  readonly clientSecret: string;
  readonly microsoftTenantId: string;
  readonly facebookConfigId: string;
}

/** A provider before a change; undefined while it is off. */
export type StoredProvider = AdminOAuthProviderConfig | undefined;

/** The values of the form when it opens. The stored secret is never among them. */
export function firstValues(stored: StoredProvider, hasSharedKeys: boolean): ProviderValues {
  const standard = stored?.type === 'standard' ? stored : undefined;
  return {
    // Shared keys that the server does not have cannot be chosen: the form opens with own keys.
    type: hasSharedKeys && standard === undefined ? 'shared' : 'standard',
    clientId: standard?.clientId ?? '',
    clientSecret: '',
    microsoftTenantId: standard?.microsoftTenantId ?? '',
    facebookConfigId: standard?.facebookConfigId ?? '',
  };
}

/** Own keys need a client ID, and a secret unless one is stored for the same client ID. */
export function validateProvider(values: ProviderValues, stored: StoredProvider): FieldErrors<ProviderValues> {
  if (values.type === 'shared') return {};
  const clientId = values.clientId.trim();
  return {
    clientId: clientId === '' ? common.form.required : undefined,
    clientSecret:
      values.clientSecret.trim() === '' && !keepsSecret(clientId, stored) ? common.form.required : undefined,
  };
}

/** A secret belongs to one client ID, so a new client ID needs a new secret. */
function keepsSecret(clientId: string, stored: StoredProvider): boolean {
  return stored?.type === 'standard' && stored.clientId === clientId;
}

/** The configuration of a provider from its form. */
function providerConfig(id: ProviderId, values: ProviderValues, stored: StoredProvider): AdminOAuthProviderConfig {
  if (values.type === 'shared') return { id, type: 'shared' };
  const storedSecret = stored?.type === 'standard' ? stored.clientSecret : '';
  const tenant = values.microsoftTenantId.trim();
  const facebookConfig = values.facebookConfigId.trim();
  return {
    id,
    type: 'standard',
    clientId: values.clientId.trim(),
    clientSecret: values.clientSecret.trim() || storedSecret,
    ...(tenant ? { microsoftTenantId: tenant } : {}),
    ...(facebookConfig ? { facebookConfigId: facebookConfig } : {}),
  };
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
