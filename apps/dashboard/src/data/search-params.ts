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

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a complete id. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** A complete id, in lower case. */
export function readId(value: unknown): string | undefined {
  const text = readText(value)?.trim();
  return text !== undefined && isId(text) ? text.toLowerCase() : undefined;
}

/** A complete IP address, in any notation of IPv6. */
export function readAddress(value: unknown): string | undefined {
  const text = readText(value)?.trim() ?? '';
  const isV6 = /^[\da-f:.]*:[\da-f:.]*$/i.test(text);
  const url = `http://${isV6 ? `[${text}]` : text}`;
  if (!URL.canParse(url)) return undefined;
  // A URL also has names, and short forms of IPv4 such as `127.1`.
  return isV6 || (/^[\d.]+$/.test(text) && new URL(url).hostname === text) ? text : undefined;
}

/** A day that exists, as YYYY-MM-DD. */
export function readDay(value: unknown): string | undefined {
  const text = readText(value);
  if (text === undefined || !day.test(text)) return undefined;
  // Browsers read the 30th of February as a day of March.
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** The local beginning of a day that `readDay` accepts, or of one some days later. */
export function startOfDay(text: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}
