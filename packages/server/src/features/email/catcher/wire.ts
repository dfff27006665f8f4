import { emailActions } from './rules.ts';
import type { CaughtMail } from './transport.ts';

/** A caught email as JSON. */
export function caughtView({ id, projectId, from, to, subject, text, html, headers, caughtAtMillis }: CaughtMail) {
  const view = { id, project_id: projectId, from, to, subject, text, html, headers, caught_at_millis: caughtAtMillis };
  return { ...view, ...emailActions(text) };
}
