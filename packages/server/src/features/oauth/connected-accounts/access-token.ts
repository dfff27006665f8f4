import { fail, providerTokenMinLifeMs } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { type ConfiguredProvider, clientOf, type ProviderClientDeps } from '../providers/clients.ts';
import type { ProviderClient, ProviderTokens } from '../providers/provider-client.ts';
import { ProviderFailure, refuseFailure } from '../rules.ts';
import { decryptProviderToken, storeProviderTokens } from './provider-tokens.ts';
import { holdProviderAccount, type ProviderTokenRow, selectProviderToken } from './tokens-store.ts';

export type ProviderAccessTokenDeps = ProviderClientDeps & {
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
};

interface TokenRequest {
  readonly userId: string;
  readonly provider: ConfiguredProvider;
  /** The token must cover all of them. An empty list is covered by every token. */
  readonly scopes: readonly string[];
}

/**
 * An access token of a user at a provider: a stored one that the provider still accepts, or a new one by the refresh
 * token.
 *
 * @throws OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE when there is neither: the user must link the account again
 *   (control 57). A text 400 when the provider does not respond
 */
export async function providerAccessToken(
  projectId: string,
  asked: TokenRequest,
  deps: ProviderAccessTokenDeps,
): Promise<string> {
  const stored = await selectStoredToken(projectId, 'access', asked, deps);
  const refresh = await selectStoredToken(projectId, 'refresh', asked, deps);
  if (stored === undefined && refresh === undefined) fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
  const client = await clientOf(projectId, asked.provider, deps);
  if (stored !== undefined) {
    const accessToken = decryptProviderToken('access', stored.token, deps.secrets);
    if (await isAccepted(client, accessToken)) return accessToken;
  }
  if (refresh === undefined) fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
  const tokens = await refreshAtProvider(client, refresh, asked, deps);
  return tokens === undefined
    ? readConcurrentRefresh(projectId, stored, asked, deps)
    : storeRefreshedTokens(projectId, { tokens, refresh, asked }, deps);
}

function selectStoredToken(
  projectId: string,
  kind: 'access' | 'refresh',
  { userId, provider, scopes }: TokenRequest,
  { db, clock }: ProviderAccessTokenDeps,
): Promise<ProviderTokenRow | undefined> {
  const aliveAtMillis = clock.now() + providerTokenMinLifeMs;
  return selectProviderToken(db, projectId, { userId, providerId: provider.id, kind, scopes, aliveAtMillis });
}

/** False when the provider does not respond: the refresh that follows reports that. */
async function isAccepted(client: ProviderClient, accessToken: string): Promise<boolean> {
  try {
    return await client.accepts(accessToken);
  } catch (error) {
    if (error instanceof ProviderFailure) return false;
    throw error;
  }
}

/** @returns undefined when the provider refuses the token */
async function refreshAtProvider(
  client: ProviderClient,
  refresh: ProviderTokenRow,
  { scopes, provider }: TokenRequest,
  deps: ProviderAccessTokenDeps,
): Promise<ProviderTokens | undefined> {
  try {
    return await client.refresh(decryptProviderToken('refresh', refresh.token, deps.secrets), scopes);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { reason, message } = error;
    deps.log.warn({ provider: provider.id, reason, message }, 'a provider refused to refresh a token');
    return reason === 'unreachable' ? refuseFailure(error) : undefined;
  }
}

/** A provider that rotates refresh tokens refuses the second of two requests: the first one's token serves both. */
async function readConcurrentRefresh(
  projectId: string,
  before: ProviderTokenRow | undefined,
  asked: TokenRequest,
  deps: ProviderAccessTokenDeps,
): Promise<string> {
  const now = await selectStoredToken(projectId, 'access', asked, deps);
  const isNew = now !== undefined && (before === undefined || !now.token.equals(before.token));
  return isNew
    ? decryptProviderToken('access', now.token, deps.secrets)
    : fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
}

async function storeRefreshedTokens(
  projectId: string,
  { tokens, refresh, asked }: { tokens: ProviderTokens; refresh: ProviderTokenRow; asked: TokenRequest },
  deps: ProviderAccessTokenDeps,
): Promise<string> {
  const account = { providerId: asked.provider.id, accountId: refresh.accountId };
  await transaction(deps.db, async tx => {
    // An account that was unlinked meanwhile gets no tokens.
    if (!(await holdProviderAccount(tx, projectId, account))) fail('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
    await storeProviderTokens(tx, projectId, { ...account, tokens, scopes: refresh.scopes }, deps);
  });
  return tokens.accessToken;
}
