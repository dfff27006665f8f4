import type { Deps } from '../../../deps.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { ProviderTokens } from '../providers/provider-client.ts';
import { insertProviderToken } from './tokens-store.ts';

/** Tokens of providers are kept encrypted, access and refresh tokens for themselves (control 57). */
export const providerTokenPurposes = { access: 'provider access token', refresh: 'provider refresh token' } as const;

export function openProviderToken(kind: keyof typeof providerTokenPurposes, sealed: Buffer, secrets: Secrets): string {
  return secrets.decrypt(providerTokenPurposes[kind], sealed).toString();
}

/** Stores what a provider gave for an account, with the scopes that were asked for. */
export async function storeProviderTokens(
  tx: Transaction,
  projectId: string,
  given: {
    readonly providerId: string;
    readonly accountId: string;
    readonly tokens: ProviderTokens;
    readonly scopes: readonly string[];
  },
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
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
