import { fail } from '@tessera/protocol';
import type { AuditedCall } from '../../../core/audit-event.ts';
import type { HttpRequest } from '../../../core/http-request.ts';
import type { Project } from '../../../core/project.ts';
import { validatePart } from '../../../http/request/validate.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { RateLimits } from '../../../platform/rate-limits/index.ts';
import { selectPasskey } from '../../accounts/credentials/index.ts';
import { redeemCode } from '../../verification-codes/index.ts';
import type { Learn } from '../attempts.ts';
import { authenticationAnswer, callingPageOf } from './answers.ts';
import { assertPasskeysEnabled, originVerdict, provesBothFactors, userHandleOf } from './rules.ts';
import { type Verdict, verifyAuthentication } from './verification.ts';

export interface PasskeyProofDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly rateLimits: RateLimits;
}

/** The longest refusal reason in the log. It may contain what the caller sent. */
const refusalMaxLength = 300;

export type PasskeyFailure = 'PASSKEY_REGISTRATION_FAILED' | 'PASSKEY_AUTHENTICATION_FAILED';

/** An answer of an authenticator, and its place in the request for validation errors. */
interface PresentedAnswer extends Pick<Parameters<typeof validatePart>[2], 'endpoint' | 'at'> {
  readonly code: string;
  readonly answer: unknown;
}

interface ProvedPasskey {
  readonly userId: string;
  readonly credentialId: string;
  readonly use: {
    readonly counter: number;
    readonly isBackedUp: boolean;
    readonly atMillis: number;
  };
  /** No second factor is needed. */
  readonly provesBothFactors: boolean;
}

/**
 * Verifies an answer to an authentication challenge. The caller records the use under a lock: a concurrent use may raise
 * the counter, or delete the passkey.
 *
 * @throws PASSKEY_AUTHENTICATION_FAILED, PASSKEY_AUTHENTICATION_NOT_ENABLED, the codes of the family VERIFICATION_ERROR
 */
export async function verifyPasskeyAnswer(
  call: AuditedCall & { readonly project: Project; readonly request: HttpRequest },
  { code, answer: sent, ...at }: PresentedAnswer,
  { learn, deps }: { learn: Learn; deps: PasskeyProofDeps },
): Promise<ProvedPasskey> {
  const { project, request } = call;
  const presented = { projectId: project.id, kind: 'passkey_authentication', code, by: call } as const;
  const { data } = await redeemCode(presented, deps);
  assertPasskeysEnabled(project.config);
  const answer = validatePart(authenticationAnswer, sent, { ...at, url: request.url });
  const origin = assertTrustedOrigin(answer, project, 'PASSKEY_AUTHENTICATION_FAILED');
  const passkey = await selectPasskey(deps.db, project.id, answer.id);
  if (passkey === undefined) fail('PASSKEY_AUTHENTICATION_FAILED');
  const { userId, credentialId } = passkey;
  learn({ userId });
  const { userHandle } = answer.response;
  if (userHandle && userHandle !== userHandleOf(userId)) fail('PASSKEY_AUTHENTICATION_FAILED');
  const verdict = await verifyAuthentication(answer, { challenge: data.challenge, origin }, passkey);
  const proved = assertProved(verdict, { project, code: 'PASSKEY_AUTHENTICATION_FAILED' }, deps);
  const { isUserVerified, ...use } = proved;
  const isVerified = { atRegistration: passkey.isUserVerified, now: isUserVerified };
  return {
    userId,
    credentialId,
    use: { ...use, atMillis: deps.clock.now() },
    provesBothFactors: provesBothFactors(isVerified, project.config),
  };
}

/** What a response has proved. The reason of a refusal is logged; the caller gets only the code. */
export function assertProved<T>(
  verdict: Verdict<T>,
  { project, code }: { project: Project; code: PasskeyFailure },
  deps: { readonly log: Log },
): T {
  if ('proved' in verdict) return verdict.proved;
  deps.log.info({ projectId: project.id, reason: verdict.refusal.slice(0, refusalMaxLength) }, 'a passkey was refused');
  fail(code);
}

/**
 * A page in a frame of another origin is refused: the outer page can place its own content over the frame (WebAuthn
 * Level 3, 7.1 and 7.2: `crossOrigin` and `topOrigin`).
 *
 * @param otherwise the error for a value that is not an origin
 * @throws PASSKEY_AUTHENTICATION_FAILED for an untrusted origin, also in a registration
 */
export function assertTrustedOrigin(
  answer: Parameters<typeof callingPageOf>[0],
  { config }: Project,
  otherwise: PasskeyFailure,
): string {
  const { origin, isFramed } = callingPageOf(answer);
  const verdict = originVerdict(origin, config);
  if (verdict === 'no origin') fail(otherwise);
  if (verdict === 'untrusted' || isFramed) fail('PASSKEY_AUTHENTICATION_FAILED');
  return origin;
}
