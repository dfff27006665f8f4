import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import { ProviderFailure, type ProviderFailureReason } from '../rules.ts';

const denied = new Set([
  'access_denied',
  'consent_required',
  // The names of LinkedIn and Apple for it.
  'user_cancelled_login',
  'user_cancelled_authorize',
]);

const tokenErrors: Readonly<Record<string, ProviderFailureReason>> = {
  invalid_grant: 'grant',
  invalid_client: 'client',
  unauthorized_client: 'client',
  unauthorized_scope_error: 'scope',
  invalid_scope: 'scope',
};

/** Runs a call to a provider. Its errors become ProviderFailure; all other errors are thrown unchanged. */
export async function callProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toProviderFailure(error);
  }
}

/** The failure has no `cause`: it is logged, and causes contain responses with tokens. */
function toProviderFailure(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    return providerFailure(denied.has(error.error) ? 'denied' : 'answer', error.error, error.error_description);
  }
  if (error instanceof oauth.ResponseBodyError)
    return providerFailure(tokenErrors[error.error] ?? 'answer', error.error, error.error_description);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return providerFailure('client', 'a challenge');
  if (error instanceof oauth.OperationProcessingError) return providerFailure('answer', error.message);
  if (error instanceof oauth.UnsupportedOperationError) return providerFailure('answer', error.message);
  if (error instanceof z.ZodError) return providerFailure('answer', 'a document of another shape');
  return error;
}

function providerFailure(reason: ProviderFailureReason, what: string, description?: string): ProviderFailure {
  return new ProviderFailure(reason, `the provider responded: ${what}`, { description });
}
