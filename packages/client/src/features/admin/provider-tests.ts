import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import type { ProviderId } from './project-config.ts';

type ResultJson = Reply<Routes['GET /internal/extensions/oauth-provider-tests/{test_id}'], 'admin'>;

/** Why a provider did not complete a test. */
export type ProviderTestFailureReason = NonNullable<ResultJson['failure']>['reason'];

/** The account that signed in during a test of a provider. */
export interface ProviderTestAccount {
  /** Id of the account at the provider. */
  readonly id: string;
  /** Null when the account has none, or does not show it. */
  readonly email: string | null;
  /** Whether the provider has verified the address. */
  readonly isEmailVerified: boolean;
}

/** What came back from a provider during a test: an account or a failure. */
export interface ProviderTestResult {
  /** Id of the provider. */
  readonly providerId: string;
  /** Null when the test failed. */
  readonly account: ProviderTestAccount | null;
  /** Null when an account signed in. The message has the error of the provider. */
  readonly failure: { readonly reason: ProviderTestFailureReason; readonly message: string } | null;
  /** When the provider answered. */
  readonly testedAt: Date;
}

/** Methods of an admin app for tests of OAuth providers. */
export interface ProviderTestMethods {
  /**
   * Begins a test of a provider with its stored keys. Open the URL in a browser within ten minutes: it leads to the
   * provider, and back to the sign-in methods of the dashboard. No user and no session is created.
   *
   * @example
   * const { url } = await app.testOAuthProvider('github');
   * @throws when the provider is off, or has no keys
   */
  testOAuthProvider(providerId: ProviderId): Promise<{ readonly url: string }>;
  /**
   * The result of a test. Only the person who began the test can read it, for ten minutes.
   *
   * @param testId the query parameter `test` of the page to which the test returned
   * @example
   * const testId = new URL(location.href).searchParams.get('test') ?? '';
   * const { account, failure } = await app.getOAuthProviderTest(testId);
   */
  getOAuthProviderTest(testId: string): Promise<ProviderTestResult>;
}

export function providerTests({ call }: Context<'admin'>): { methods: ProviderTestMethods } {
  return {
    methods: {
      async testOAuthProvider(providerId) {
        const body = { provider_id: providerId };
        const { url } = await call('POST /internal/extensions/oauth-provider-tests', { body, session: null });
        return Object.freeze({ url });
      },
      async getOAuthProviderTest(testId) {
        const params = { test_id: testId };
        return resultFromWire(
          await call('GET /internal/extensions/oauth-provider-tests/{test_id}', { params, session: null }),
        );
      },
    },
  };
}

function resultFromWire({ provider_id, account, failure, tested_at_millis }: ResultJson): ProviderTestResult {
  return Object.freeze({
    providerId: provider_id,
    account: account && { id: account.id, email: account.email, isEmailVerified: account.is_email_verified },
    failure,
    testedAt: new Date(tested_at_millis),
  });
}
