import { expect } from 'vitest';
import type { Answered } from './call.ts';

/** The status of a response, and its content without sentences for users. */
export type Outcome =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly code: string; readonly details?: unknown }
  | { readonly status: number; readonly says: 'a sentence' | 'nothing' };

/** A known error by code and details, another JSON response with its whole body, a text only by whether there is one. */
export function outcome({ status, headers, json, text }: Answered): Outcome {
  const code = headers.get('x-stack-known-error');
  if (code === null && json !== undefined) return { status, body: json };
  if (code === null) return { status, says: text === '' ? 'nothing' : 'a sentence' };
  const { error, ...rest } = json as { error: string; code: string; details?: unknown };
  return { status, ...rest, code: rest.code === code ? code : `${code} in the header, ${rest.code} in the body` };
}

/** All headers; the id of the request, which differs each time, is replaced. */
export function stableHeaders(headers: Headers): Record<string, string> {
  return { ...Object.fromEntries(headers), 'x-stack-request-id': 'a request id' };
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Matchers for random values in whole responses. */
export const anId = expect.stringMatching(uuid4);
export const aToken = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
export const aSecret = expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{45}$/);
