/** The markup is invalid. The message is for its author. */
export class MarkupError extends Error {
  override readonly name = 'MarkupError';
}
