import { hasCode } from '@tessera/client/internals';
import { errorWords } from '../../../../words/error-words.ts';
import type { Translate } from '../../../../words/words.ts';

/** The text for a failed registration of a passkey. The browser names only one reason: the passkey exists. */
export function registrationWords(error: unknown, translate: Translate): string {
  if (!hasCode(error, 'PASSKEY_WEBAUTHN_ERROR')) return errorWords(error, translate);
  const { code } = (error.details ?? {}) as { code?: unknown };
  return translate(code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? 'passkey.alreadyAdded' : 'passkey.notAdded');
}
