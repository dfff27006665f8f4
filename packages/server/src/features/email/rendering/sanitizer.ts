import type { PacedTurns } from '../../../http/paced-turns.ts';
import { type AuthoredContent, sanitizeAuthoredHtml } from '../templates/themes.ts';

/** Sanitizes HTML that a project has written. @throws MarkupError, or a 429 */
export type Sanitizer = (markup: string, projectId: string) => Promise<AuthoredContent>;

/** Shorter texts take less time than most requests do. Ordinary emails are shorter. */
const longText = 20_000;

/** Long texts take turns. */
export function createSanitizer(inTurn: PacedTurns, sanitize = sanitizeAuthoredHtml): Sanitizer {
  return (markup, projectId) =>
    markup.length <= longText ? sanitize(markup) : inTurn(projectId, () => sanitize(markup));
}
