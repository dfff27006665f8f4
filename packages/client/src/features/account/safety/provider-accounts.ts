import type { ProviderName } from '../../../app/config/register.ts';
import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import { lazily } from '../../../util/once.ts';

/** An account at a provider that signs the user in. A snapshot. */
export interface ProviderAccount {
  /** The provider's id, e.g. `github`. */
  readonly providerId: string;
  /** The name of the account at the provider; null when it has none. */
  readonly name: string | null;
  /** The email address of the account at the provider; null when it has none. */
  readonly email: string | null;
  /** Time of the connection. */
  readonly connectedAt: Date;
}

/** The provider accounts of the signed-in user. Not cached. */
export interface ProviderAccountMethods {
  /** The user's accounts at providers, oldest first. */
  getProviderAccounts(): Promise<ProviderAccount[]>;
  /**
   * Leaves the page to connect an account at the provider. The browser comes back to this page, or with a refusal to
   * `urls.error`.
   *
   * @param options.returnTo another address to come back to.
   * @throws `REAUTHENTICATION_REQUIRED` before the page is left.
   * @example
   * await user.connectProvider('github');
   */
  connectProvider(providerId: ProviderName, options?: { returnTo?: string | undefined }): Promise<never>;
  /**
   * Disconnects a provider: its account no longer signs in.
   *
   * @throws `LAST_SIGN_IN_METHOD`, `REAUTHENTICATION_REQUIRED`, `OAUTH_CONNECTION_NOT_CONNECTED_TO_USER`.
   */
  disconnectProvider(providerId: ProviderName): Promise<void>;
}

const names: Record<keyof ProviderAccountMethods, true> = {
  getProviderAccounts: true,
  connectProvider: true,
  disconnectProvider: true,
};

export function providerAccounts(ctx: Context<'client'>, session: Session): ProviderAccountMethods {
  return lazily(names, async () => (await import('./provider-accounts-flow.ts')).providerAccountsFlow(ctx, session));
}
