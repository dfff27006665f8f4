import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { ProviderTokens } from '../providers/provider-client.ts';
import { insertProviderToken } from './tokens-store.ts';

/** The encryption purposes of provider tokens: access and refresh tokens have one each (control 57). */
export const providerTokenPurposes = { access: 'provider access token', refresh: 'provider refresh token' } as const;

export function decryptProviderToken(
  kind: keyof typeof providerTokenPurposes,
  encrypted: Buffer,
  secrets: Secrets,
): string {
  return secrets.decrypt(providerTokenPurposes[kind], encrypted).toString();
}

/** Stores the tokens of a provider account, with the requested scopes. */
export async function storeProviderTokens(
  tx: Transaction,
  projectId: string,
  given: {
    readonly providerId: string;
    readonly accountId: string;
    readonly tokens: ProviderTokens;
    readonly scopes: readonly string[];
  },
  { secrets, clock }: { readonly clock: Clock; readonly secrets: Secrets },
): Promise<void> {
  const { tokens, providerId, accountId, scopes } = given;
  const common = { providerId, accountId, scopes, nowMillis: clock.now() };
  const access = secrets.encrypt(providerTokenPurposes.access, tokens.accessToken);
  const { expiresAtMillis } = tokens;
  await insertProviderToken(tx, projectId, { ...common, kind: 'access', token: access, expiresAtMillis });
  if (tokens.refreshToken === undefined) return;
  const refresh = secrets.encrypt(providerTokenPurposes.refresh, tokens.refreshToken);
  await insertProviderToken(tx, projectId, { ...common, kind: 'refresh', token: refresh, expiresAtMillis: null });
}
