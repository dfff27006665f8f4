import type { ProviderTestOutcome } from './outcome.ts';
import type { ProviderTestRow } from './store.ts';

export function providerTestView(
  { providerId, createdAtMillis }: ProviderTestRow,
  { account, failure }: ProviderTestOutcome,
) {
  return {
    provider_id: providerId,
    account: account && { id: account.id, email: account.email, is_email_verified: account.isEmailVerified },
    failure,
    tested_at_millis: createdAtMillis,
  };
}
