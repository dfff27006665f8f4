import type { KnownError, Result } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';

/** The result of a code from a link, as the page shows it. */
export type CodeOutcome = 'ok' | 'invalid' | 'expired' | 'used';

/** @throws the error when the pages have no text for it. */
export function codeOutcome(result: Result<unknown, KnownError>): CodeOutcome {
  if (result.status === 'ok') return 'ok';
  if (hasCode(result.error, 'VERIFICATION_CODE_NOT_FOUND')) return 'invalid';
  if (hasCode(result.error, 'VERIFICATION_CODE_EXPIRED')) return 'expired';
  if (hasCode(result.error, 'VERIFICATION_CODE_ALREADY_USED')) return 'used';
  throw result.error;
}

/** The result of a call with a code. A code that was truncated in the link is refused for its format. */
export async function outcomeOf(call: Promise<Result<unknown, KnownError>>): Promise<CodeOutcome> {
  try {
    return codeOutcome(await call);
  } catch (error) {
    if (hasCode(error, 'SCHEMA_ERROR')) return 'invalid';
    throw error;
  }
}
