import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import { ProviderFailure, type ProviderFailureReason } from '../rules.ts';

const denied = new Set([
  'access_denied',
  'consent_required',
  // LinkedIn and Apple have names of their own for it.
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

/** Runs what talks to a provider; its errors have a reason afterwards, those of ours stay as they are. */
export async function fromProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

/** Causes are left behind: they hold answers with tokens in them, and this one is logged. */
function translated(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    return answered(denied.has(error.error) ? 'denied' : 'answer', error.error);
  }
  if (error instanceof oauth.ResponseBodyError) return answered(tokenErrors[error.error] ?? 'answer', error.error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return answered('client', 'a challenge');
  if (error instanceof oauth.OperationProcessingError) return answered('answer', error.message);
  if (error instanceof oauth.UnsupportedOperationError) return answered('answer', error.message);
  if (error instanceof z.ZodError) return answered('answer', 'a document of another shape');
  return error;
}

function answered(reason: ProviderFailureReason, what: string): ProviderFailure {
  return new ProviderFailure(reason, `the provider answered: ${what}`);
}
