import { type Statement, sql } from '../../../platform/database/sql.ts';

/**
 * The condition that the access tokens of a session `s` are valid until their own expiry
 * (docs/contract/decisions.md#sessions). An ended session has no row. The row of an expired one is kept longer than its
 * access tokens are valid, so the two are told apart by the row. The tokens of an impersonation, and of an account that
 * manages projects, end with the lifetime of the session.
 */
export function acceptsAccessTokens(nowMillis: number): Statement {
  return sql`(s.expires_at_millis > ${nowMillis} or not (s.is_impersonation or s.project_id = 'internal'))`;
}
