import { fail } from '@tessera/protocol';

/**
 * The link of an email: the callback URL with `code` before its own parameters
 * (docs/contract/decisions.md#email).
 */
export function linkWithCode(callbackUrl: string, code: string): string {
  const url = new URL(callbackUrl);
  // Edited as text: URLSearchParams would turn `%20` into `+` and lose bytes that are not UTF-8.
  const others = url.search
    .slice(1)
    .split('&')
    .filter(part => part !== '' && !new URLSearchParams(part).has('code'));
  url.search = [`code=${code}`, ...others].join('&');
  return url.href;
}

export interface CodeState {
  /** Includes this attempt. */
  readonly attempts: number;
  readonly expiresAtMillis: number;
  readonly usedAtMillis: number | null;
}

/**
 * Whether this attempt is the first one for a code. A right code does not count as a guess, but it is refused when the
 * account has no guesses left, unless no guess was made at this code: guesses of other callers at codes that they have asked
 * for must not lock the owner of the address out. Another caller gets one attempt more for each email of the hour
 * (`mailsPerRecipient`).
 */
export function isUntouched({ attempts }: CodeState): boolean {
  return attempts === 1;
}

/**
 * Checks a code, in the order of docs/contract/sign-in-methods.md#code-checks.
 *
 * @throws the codes of the family VERIFICATION_ERROR
 */
export function assertUsable<State extends CodeState>(
  code: State | undefined,
  { maxAttempts, nowMillis }: { maxAttempts: number; nowMillis: number },
): asserts code is State {
  if (code === undefined) fail('VERIFICATION_CODE_NOT_FOUND');
  if (code.expiresAtMillis <= nowMillis) fail('VERIFICATION_CODE_EXPIRED');
  if (code.usedAtMillis !== null) fail('VERIFICATION_CODE_ALREADY_USED');
  if (code.attempts > maxAttempts) fail('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED');
}
