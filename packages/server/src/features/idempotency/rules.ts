import {
  idempotencyClientResponseMaxLength,
  idempotencyInterruptedAfterMs,
  idempotencyKeyMaxLength,
  idempotencyKeyMinLength,
  idempotencyResponseMaxLength,
  idempotencyRetrySeconds,
} from '@tessera/protocol';
import type { KeyedWrite } from '../../http/keyed-write.ts';
import { refuse } from '../../http/refusal.ts';
import type { Draft } from '../../http/response/respond.ts';

/** The stored row of an earlier request with the same key. */
export interface EarlierRequest {
  readonly requestHash: Buffer;
  readonly startedAtMillis: number;
  readonly response: Buffer | null;
}

const visibleCharacters = /^[\x21-\x7e]+$/;

/** @throws Refusal 400 for a key that is too short, too long, or not visible ASCII */
export function assertKey(key: string): void {
  const hasLength = key.length >= idempotencyKeyMinLength && key.length <= idempotencyKeyMaxLength;
  if (hasLength && visibleCharacters.test(key)) return;
  refuse(
    400,
    `An idempotency key has ${idempotencyKeyMinLength} to ${idempotencyKeyMaxLength} visible ASCII characters.`,
  );
}

/** Only text bodies up to a maximum size are stored. */
export function keepsResponse({ body }: Draft, { level }: Pick<KeyedWrite, 'level'>): boolean {
  const maxLength = level === 'client' ? idempotencyClientResponseMaxLength : idempotencyResponseMaxLength;
  return body === null || (typeof body === 'string' && body.length <= maxLength);
}

/**
 * The stored response for a repeated request.
 *
 * @throws Refusal 422 for another request under the same key; 409 with Retry-After while the first one runs, and 409 when
 * its outcome is unknown
 */
export function earlierResponse(
  earlier: EarlierRequest | undefined,
  repeated: { readonly requestHash: Buffer; readonly startedAtMillis: number },
): Buffer {
  // The first request was refused and its row deleted in between: the next attempt may run.
  if (earlier === undefined) return refuseRunning();
  if (!earlier.requestHash.equals(repeated.requestHash)) {
    refuse(422, 'This idempotency key was used for another request.');
  }
  if (earlier.response !== null) return earlier.response;
  if (repeated.startedAtMillis - earlier.startedAtMillis < idempotencyInterruptedAfterMs) return refuseRunning();
  refuse(
    409,
    'The first request with this idempotency key has no stored response. Read the current state before you repeat the write with a new key.',
  );
}

function refuseRunning(): never {
  refuse(409, 'The first request with this idempotency key is still running.', {
    headers: { 'retry-after': String(idempotencyRetrySeconds) },
  });
}
