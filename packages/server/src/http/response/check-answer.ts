import { type AccessLevel, atLevel, type Endpoint } from '@tessera/protocol';
import type * as z from 'zod';

/**
 * Fails when a handler answers something other than its endpoint declares: an extra key, a missing key, or a value of
 * another type. Runs in development and tests only; production does not check answers.
 */
export function checkAnswer(endpoint: Endpoint, level: AccessLevel | null, body: unknown): void {
  const schema: z.ZodType = atLevel<z.ZodType>(endpoint.response, level);
  const result = schema.safeParse(body);
  if (result.success) return;
  const issues = result.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`${endpoint.method} ${endpoint.path} answers what it does not declare: ${issues.join('; ')}`);
}
