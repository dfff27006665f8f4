import { isKnown, type KnownError, type Result } from '@tessera/client';

/** What came of a code from a link, as the person who clicked sees it. */
export type CodeOutcome = 'ok' | 'invalid' | 'expired' | 'used';

/** @throws the error, where the pages have nothing to say about it. */
export function codeOutcome(result: Result<unknown, KnownError>): CodeOutcome {
  if (result.status === 'ok') return 'ok';
  if (isKnown(result.error, 'VERIFICATION_CODE_NOT_FOUND')) return 'invalid';
  if (isKnown(result.error, 'VERIFICATION_CODE_EXPIRED')) return 'expired';
  if (isKnown(result.error, 'VERIFICATION_CODE_ALREADY_USED')) return 'used';
  throw result.error;
}

/** The outcome of a call with a code, which may also be refused for its form: a link that was cut short. */
export async function outcomeOf(call: Promise<Result<unknown, KnownError>>): Promise<CodeOutcome> {
  try {
    return codeOutcome(await call);
  } catch (error) {
    if (isKnown(error, 'SCHEMA_ERROR')) return 'invalid';
    throw error;
  }
}
