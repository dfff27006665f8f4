import { fail, providerTokenMinLifeMs } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/database.ts';
import {
  type ConfiguredProvider,
  clientOf,
  holdProviderAccount,
  openProviderToken,
  type ProviderClient,
  ProviderFailure,
  type ProviderTokenRow,
  type ProviderTokens,
  refuseFailure,
  selectProviderToken,
  storeProviderTokens,
} from '../index.ts';

interface AskedToken {
  readonly userId: string;
  readonly provider: ConfiguredProvider;
  /** All of them must be covered; none at all is covered by any token. */
  readonly scopes: readonly string[];
}

/**
 * An access token of a user at a provider: one that is stored and that the provider still takes, or else a new one by a
 * refresh token.
 *
 * @throws OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE when there is neither: the account has to be connected anew
 *   (control 57). A text 400 when the provider does not answer
 */
export async function providerAccessToken(projectId: string, asked: AskedToken, deps: Deps): Promise<string> {
  const stored = await storedToken(projectId, 'access', asked, deps);
  const refresh = await storedToken(projectId, 'refresh', asked, deps);
  if (stored === undefined && refresh === undefined) fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
  const client = await clientOf(asked.provider, deps);
  if (stored !== undefined) {
    const accessToken = openProviderToken('access', stored.token, deps.secrets);
    if (await isAccepted(client, accessToken)) return accessToken;
  }
  if (refresh === undefined) fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
  const tokens = await refreshed(client, refresh, asked, deps);
  return tokens === undefined
    ? tokenOfAnother(projectId, stored, asked, deps)
    : keep(projectId, { tokens, refresh, asked }, deps);
}

function storedToken(
  projectId: string,
  kind: 'access' | 'refresh',
  { userId, provider, scopes }: AskedToken,
  { db, clock }: Deps,
): Promise<ProviderTokenRow | undefined> {
  const aliveAtMillis = clock.now() + providerTokenMinLifeMs;
  return selectProviderToken(db, projectId, { userId, providerId: provider.id, kind, scopes, aliveAtMillis });
}

/** A provider that does not answer here may still refresh: whether it does is seen then. */
async function isAccepted(client: ProviderClient, accessToken: string): Promise<boolean> {
  try {
    return await client.accepts(accessToken);
  } catch (error) {
    if (error instanceof ProviderFailure) return false;
    throw error;
  }
}

/** @returns undefined when the provider refuses the token */
async function refreshed(
  client: ProviderClient,
  refresh: ProviderTokenRow,
  { scopes, provider }: AskedToken,
  deps: Deps,
): Promise<ProviderTokens | undefined> {
  try {
    return await client.refresh(openProviderToken('refresh', refresh.token, deps.secrets), scopes);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { reason, message } = error;
    deps.log.warn({ provider: provider.id, reason, message }, 'a provider token was not refreshed');
    return reason === 'unreachable' ? refuseFailure(error) : undefined;
  }
}

/** Providers that exchange refresh tokens refuse one that another request has just used: its fruit serves both. */
async function tokenOfAnother(
  projectId: string,
  before: ProviderTokenRow | undefined,
  asked: AskedToken,
  deps: Deps,
): Promise<string> {
  const now = await storedToken(projectId, 'access', asked, deps);
  const isNew = now !== undefined && (before === undefined || !now.token.equals(before.token));
  return isNew
    ? openProviderToken('access', now.token, deps.secrets)
    : fail('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');
}

async function keep(
  projectId: string,
  { tokens, refresh, asked }: { tokens: ProviderTokens; refresh: ProviderTokenRow; asked: AskedToken },
  deps: Deps,
): Promise<string> {
  const account = { providerId: asked.provider.id, accountId: refresh.accountId };
  await transaction(deps.db, async tx => {
    // Whoever has disconnected the account meanwhile wants no tokens of it kept.
    if (!(await holdProviderAccount(tx, projectId, account))) fail('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
    await storeProviderTokens(tx, projectId, { ...account, tokens, scopes: refresh.scopes }, deps);
  });
  return tokens.accessToken;
}
