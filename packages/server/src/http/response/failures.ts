import { KnownError, KnownErrors, toJson } from '@tessera/protocol';
import { HashingBusy } from '../../platform/crypto/passwords.ts';
import { DatabaseAway, missingProject, ResultTooLarge } from '../../platform/database/database.ts';
import { ConversionsBusy } from '../../platform/images.ts';
import { LimitReached } from '../../platform/rate-limits/index.ts';
import { ErrorWithHeaders, Refusal } from '../refusal.ts';
import { jsonType, textType } from './content-types.ts';

/** An error as it is sent to the caller. */
export interface Failure {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** False for defects of the server, which are logged in full. */
  readonly isExpected: boolean;
}

const databaseRetrySeconds = '2';
const busyRetrySeconds = '1';

/** Maps every error to the answer that the caller gets. */
export function toFailure(error: unknown, context: { requestId: string; showsDetails: boolean }): Failure {
  if (error instanceof ErrorWithHeaders) {
    const failure = toFailure(error.cause, context);
    return { ...failure, headers: { ...failure.headers, ...error.headers } };
  }
  if (KnownError.isKnownError(error)) {
    return {
      status: error.statusCode,
      contentType: jsonType,
      body: JSON.stringify(toJson(error), null, 2),
      headers: { 'x-stack-known-error': error.errorCode },
      isExpected: true,
    };
  }
  if (error instanceof Refusal) return text(error.status, error.message, error.headers);
  if (error instanceof DatabaseAway) {
    const sentence = 'The service is not available right now. Please try again in a moment.';
    return text(503, sentence, { 'retry-after': databaseRetrySeconds });
  }
  if (error instanceof ResultTooLarge) return text(400, 'The answer would be too large. Ask for fewer entries.');
  if (error instanceof HashingBusy) {
    const sentence = 'Too many sign-ins are waiting. Please try again in a moment.';
    return text(429, sentence, { 'retry-after': busyRetrySeconds });
  }
  if (error instanceof ConversionsBusy) {
    const sentence = 'Too many images are being converted. Please try again in a moment.';
    return text(429, sentence, { 'retry-after': busyRetrySeconds });
  }
  if (error instanceof LimitReached) {
    const headers = { 'retry-after': String(error.retryAfterSeconds) };
    return text(429, 'That was tried too often. Please try again later.', headers);
  }
  // The project was deleted while the request was running.
  const projectId = missingProject(error);
  if (projectId !== undefined) return toFailure(new KnownErrors.ProjectNotFound(projectId), context);
  return {
    status: 500,
    contentType: textType,
    body: context.showsDetails ? String(error) : `Something went wrong on our side. Request id: ${context.requestId}`,
    headers: {},
    isExpected: false,
  };
}

/** Whether the caller gets a 4xx: the request was processed and refused. */
export function isRefusal(error: unknown): boolean {
  return toFailure(error, { requestId: '', showsDetails: false }).status < 500;
}

function text(status: number, body: string, headers: Failure['headers'] = {}): Failure {
  return { status, contentType: textType, body, headers, isExpected: true };
}
