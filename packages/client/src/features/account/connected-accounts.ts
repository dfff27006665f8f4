import type { ProviderName } from '../../app/config/register.ts';
import type { Context } from '../../app/context.ts';
import { type Read, readOf } from '../../cache/resource.ts';
import { isOneOf } from '../../errors/known-errors.ts';
import { SdkError } from '../../errors/sdk-error.ts';
import { pageOf } from '../../navigation/page-of.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from './subject.ts';

/** An account at an OAuth provider. */
export interface Connection {
  /** The provider's id, e.g. `github`. */
  readonly id: string;
}

/** A connected OAuth account with access tokens. */
export interface OAuthConnection extends Connection {
  /** An access token of the provider, valid for at least five minutes. @throws when the provider gives none any more. */
  getAccessToken(): Promise<{ accessToken: string }>;
}

/** Options of a connected account. */
export interface ConnectedAccountOptions {
  /**
   * The action when the account is not connected or lacks a scope. `redirect` leads to the provider and back to this
   * page. Default `return-null`.
   */
  readonly or?: 'redirect' | 'throw' | 'return-null' | undefined;
  /** The required OAuth scopes of the provider. */
  readonly scopes?: readonly string[] | undefined;
}

/** Reads of a user's connected accounts. */
export interface ConnectedAccountReads {
  /** The account. @throws when the project does not have the provider, or uses shared keys for it. */
  getConnectedAccount(
    providerId: ProviderName,
    options: ConnectedAccountOptions & { readonly or: 'redirect' | 'throw' },
  ): Promise<OAuthConnection>;
  /** The account, or null. @throws when the project does not have the provider, or uses shared keys for it. */
  getConnectedAccount(providerId: ProviderName, options?: ConnectedAccountOptions): Promise<OAuthConnection | null>;
}

/** The provider connections in the data of the user. */
type Connected = readonly { readonly id: string }[];

/** The read of a connected account; its method is called with an `or`, which says whether it can be null. */
export interface ConnectedAccountRead
  extends Read<[providerId: ProviderName, options?: ConnectedAccountOptions], OAuthConnection | null> {
  readonly fetch: ConnectedAccountReads['getConnectedAccount'];
}

const noTokenCodes = [
  'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER',
  'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
] as const;

export function connectedAccounts(
  ctx: Context<UserLevel>,
): (subject: Subject, connected: Connected) => { reads: { getConnectedAccount: ConnectedAccountRead } } {
  const { call, resources } = ctx;

  /** Null: the user has no token of the provider with these scopes. */
  const tokens = resources.make(
    null,
    (session: Subject['session'], userId: string, provider: string, scope: string) => ({
      load: () => loadToken({ session, userId }, provider, scope),
    }),
  );

  async function loadToken({ session, userId }: Subject, provider: string, scope: string): Promise<string | null> {
    try {
      const answer = await call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
        params: { user_id: userId, provider_id: provider },
        body: { scope },
        session,
      });
      return answer.access_token;
    } catch (error) {
      if (await isOneOf(error, noTokenCodes)) return null;
      throw error;
    }
  }

  const connections = resources.make(
    null,
    (
      session: Subject['session'],
      userId: string,
      provider: string,
      scope: string,
      or: string,
      isConnected: boolean,
    ) => ({
      async load(): Promise<OAuthConnection | null> {
        const token = isConnected ? await tokens.fetch(session, userId, provider, scope) : null;
        if (token !== null) return toConnection({ session, userId }, provider, scope);
        if (or === 'throw') throw connectionMissing(provider);
        return or === 'redirect' ? leaveToConnect(ctx, session, { provider, scope }) : null;
      },
    }),
  );

  function toConnection({ session, userId }: Subject, id: string, scope: string): OAuthConnection {
    const getAccessToken: Read<[], { accessToken: string }> = readOf(() =>
      accessTokens.entry(session, userId, id, scope),
    );
    return entity({ id }, { getAccessToken }, {});
  }

  const accessTokens = resources.make(
    null,
    (session: Subject['session'], userId: string, provider: string, scope: string) => ({
      async load() {
        const accessToken = await tokens.fetch(session, userId, provider, scope);
        if (accessToken === null) throw connectionMissing(provider);
        return { accessToken };
      },
    }),
  );

  return ({ session, userId }, connected) => {
    const cached = readOf((providerId: string, { or = 'return-null', scopes = [] }: ConnectedAccountOptions = {}) => {
      const isConnected = connected.some(({ id }) => id === providerId);
      return connections.entry(session, userId, providerId, scopes.join(' '), or, isConnected);
    });

    async function fetch(providerId: string, options: ConnectedAccountOptions = {}): Promise<OAuthConnection | null> {
      if (options.or !== 'redirect') return cached.fetch(providerId, options);
      // The redirect itself is not cached: a page that comes back with the Back button can leave again.
      const found = await cached.fetch(providerId, { ...options, or: 'return-null' });
      return found ?? leaveToConnect(ctx, session, { provider: providerId, scope: (options.scopes ?? []).join(' ') });
    }

    // The value of `or` decides whether the result can be null; TypeScript cannot infer that from the implementation.
    return { reads: { getConnectedAccount: { ...cached, fetch } as ConnectedAccountRead } };
  };
}

/** Leaves the page to connect an account of the provider with these scopes. */
async function leaveToConnect(
  ctx: Context<UserLevel>,
  session: Subject['session'],
  { provider, scope }: { provider: string; scope: string },
): Promise<never> {
  if (session === null) throw new Error('Only a signed-in user can be redirected to a provider. A server has no page.');
  const wanted = [...scope.split(' '), ...(ctx.config.oauthScopesOnSignIn[provider] ?? [])];
  const { leaveForProvider } = await import('../sign-in/oauth/oauth-start.ts');
  const live = await session.getLikelyValidTokens();
  return leaveForProvider(ctx.at('client'), provider, {
    type: 'link',
    token: live?.accessToken ?? '',
    scope: [...new Set(wanted)].join(' ').trim(),
    afterwards: pageOf(ctx, 'Connecting an account').href(),
  });
}

function connectionMissing(provider: string): SdkError {
  return new SdkError('CONNECTION_MISSING', `The user has no connected account of ${provider} with these scopes.`);
}
