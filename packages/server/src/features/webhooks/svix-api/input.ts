import { coercionOf, type SvixEndpoint } from '@tessera/protocol';
import type * as z from 'zod';
import type { HttpRequest } from '../../../core/http-request.ts';
import { isWellFormedText, readBody } from '../../../http/request/read.ts';
import { listIssues } from '../../../http/request/validate.ts';
import { SvixRefusal, type Violation } from './failures.ts';

/** Reads the body of a request to a route that takes one. */
export function readSent(endpoint: SvixEndpoint, request: HttpRequest, sender: () => string): Promise<unknown> {
  return endpoint.body === undefined ? Promise.resolve(undefined) : readBody(request, { sender });
}

/**
 * Validates query and body.
 *
 * @throws SvixRefusal 422 with the violations of both
 */
export function validateInput(
  endpoint: SvixEndpoint,
  { url, sent }: { readonly url: string; readonly sent: unknown },
): { query: unknown; body: unknown } {
  const query = validate(endpoint.query, 'query', queryOf(url));
  const body = validate(endpoint.body, 'body', sent);
  const violations = [...query.violations, ...body.violations];
  if (violations.length > 0) throw new SvixRefusal(422, 'validation', violations);
  return { query: query.data, body: body.data };
}

function validate(
  schema: z.ZodObject | undefined,
  place: 'query' | 'body',
  given: unknown,
): { data: unknown; violations: Violation[] } {
  if (schema === undefined) return { data: undefined, violations: [] };
  // Query values are text and must be converted. A JSON body has types.
  const value = place === 'query' ? coercionOf(schema)(given) : given;
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data, violations: [] };
  const { listed, others } = listIssues(result.error.issues);
  const violations: Violation[] = listed.map(({ path, message }) => ({
    loc: [place, ...path.map(String)],
    msg: message,
    type: 'value_error',
  }));
  if (others > 0) violations.push({ loc: [place], msg: `${others} more violations`, type: 'value_error' });
  return { data: undefined, violations };
}

function queryOf(url: string): Record<string, string> {
  const query = Object.fromEntries(new URL(url).searchParams);
  const isReadable = Object.values(query).every(isWellFormedText);
  if (!isReadable)
    throw new SvixRefusal(422, 'validation', 'The query holds a NUL character or half a surrogate pair.');
  return query;
}
