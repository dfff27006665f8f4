import { KnownError } from '@tessera/protocol';
import { jsonType } from '../../../http/response/content-types.ts';
import { type Failure, toFailure } from '../../../http/response/failures.ts';

/** A refusal in the format of Svix: a status, a code for programs, and a detail. */
export class SvixRefusal extends Error {
  override readonly name = 'SvixRefusal';

  constructor(
    readonly status: number,
    readonly code: string,
    /** A sentence, or the list of validation errors. */
    readonly detail: string | readonly Violation[],
  ) {
    super(code);
  }
}

export interface Violation {
  /** For example `['body', 'url']`. */
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: 'value_error';
}

export function notFound(): never {
  throw new SvixRefusal(404, 'not_found', 'Entity not found');
}

export function conflict(detail: string): never {
  throw new SvixRefusal(409, 'conflict', detail);
}

export function invalid(loc: readonly string[], msg: string): never {
  throw new SvixRefusal(422, 'validation', [{ loc, msg, type: 'value_error' }]);
}

/** Converts errors of the other server modules, because the Svix client expects its own JSON format everywhere. */
export function toSvixFailure(error: unknown, context: { requestId: string; showsDetails: boolean }): Failure {
  if (error instanceof SvixRefusal) return createFailure(error.status, error.code, error.detail);
  const { status, body, headers, isExpected } = toFailure(error, context);
  if (KnownError.isKnownError(error)) return createFailure(status, error.errorCode.toLowerCase(), error.message);
  return { ...createFailure(status, codeOf(status), body), headers, isExpected };
}

const codes: Readonly<Record<number, string>> = {
  404: 'not_found',
  413: 'payload_too_large',
  429: 'rate_limited',
  503: 'unavailable',
};

function codeOf(status: number): string {
  return codes[status] ?? (status >= 500 ? 'server_error' : 'refused');
}

function createFailure(status: number, code: string, detail: unknown): Failure {
  return {
    status,
    contentType: jsonType,
    body: JSON.stringify({ code, detail }),
    headers: {},
    isExpected: true,
  };
}
