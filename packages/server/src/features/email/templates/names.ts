/** Longer names are cut: they stand in a subject, and in a sentence. */
const nameMaxLength = 100;

/** Control characters, line separators, and characters that turn the direction of text around or are not seen. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joins letters and emoji; harmless beside them. */
const joiners = /[\u200c\u200d]/u;

const scheme = /[a-z][a-z0-9+.-]{0,30}:[/\\]{2,}/giu;
/** A dot (those of other scripts too) before something that a mail program could take for a top-level domain. */
const domainDot = /(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61\u2024](?=\p{L}{2}|xn--)/giu;
const ipv4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** A name on one line: without control characters, so that it cannot become a header or a line of its own (control 74). */
export function oneLine(text: string): string {
  const line = text
    .replace(unprintable, character => (joiners.test(character) ? character : ' '))
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= nameMaxLength
    ? line
    : `${characters
        .slice(0, nameMaxLength - 1)
        .join('')
        .trimEnd()}…`;
}

/** A name that a project chose for itself: it may be `booking.com`, but not an address in full, or markup. */
export function projectName(name: string): string {
  return oneLine(name).replace(scheme, '').replaceAll('](', '] (');
}

/**
 * A name that a user chose, as it stands in a mail: nothing in it is or becomes a link (control 75). `https://evil.com`
 * turns into `evil. com`, which no mail program makes clickable.
 */
export function withoutLinks(name: string): string {
  return projectName(name)
    .replace(domainDot, '. ')
    .replace(ipv4, dotted => dotted.replaceAll('.', '. '));
}
