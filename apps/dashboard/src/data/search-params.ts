/** Readers of typed search parameters. A wrong value is left out, so that no address breaks a page. */

/** A text that is not blank. The router parses `?q=12` as a number. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** One of a list of texts. */
export function readOneOf<const Allowed extends string>(
  value: unknown,
  allowed: readonly Allowed[],
): Allowed | undefined {
  return allowed.find(one => one === value);
}

/** A list of texts without repetitions; nothing when it is empty. */
export function readTexts(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
  return texts.length === 0 ? undefined : [...new Set<string>(texts)];
}
