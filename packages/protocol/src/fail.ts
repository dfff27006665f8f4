import type { Sentences } from './catalogue/catalogue.ts';
import { createError, type ErrorCode, type ErrorDetails, type ErrorTexts } from './errors.ts';
import { sentences } from './sentences.ts';

type Details<Code extends ErrorCode> =
  undefined extends ErrorDetails<Code>
    ? [details?: ErrorDetails<Code>, texts?: ErrorTexts]
    : [details: ErrorDetails<Code>, texts?: ErrorTexts];

/**
 * Throws a known error. The message is the catalogue's sentence; `texts.message` replaces it, which the message-only
 * codes require: `fail('BODY_PARSING_ERROR', undefined, { message: 'The body is not UTF-8.' })`.
 *
 * @throws KnownError always.
 */
export function fail<Code extends ErrorCode>(code: Code, ...[details, texts]: Details<Code>): never {
  const known = details as ErrorDetails<Code>;
  throw createError(code, known, { ...texts, message: texts?.message ?? sentenceFor(code, known) });
}

function sentenceFor<Code extends ErrorCode>(code: Code, details: ErrorDetails<Code>): string {
  const sentence: Sentences[Code] = sentences[code];
  return typeof sentence === 'function' ? sentence(details) : sentence;
}
