import { printableText } from '@tessera/protocol';

/** Longer names are cut: they are part of a subject and of sentences. */
const nameMaxLength = 100;

const scheme = /[a-z][a-z0-9+.-]{0,30}:[/\\]{2,}/giu;
/**
 * A dot, in any script, between text that a mail program could read as a domain: labels may end with a mark or an emoji,
 * and the second character of a top-level domain may be a mark.
 */
const domainDot = /(?<=[\p{L}\p{M}\p{N}\p{S}\u200c-\u200d-])[.\u3002\uff0e\uff61\u2024](?=\p{L}[\p{L}\p{M}]|xn--)/giu;
/** An email address of plain characters: mail programs make a link to the address of it, and never one to a page. */
const plainAddress = /^[a-z0-9_%+-]+(?:\.[a-z0-9_%+-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu;
const ipv4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** A name without control characters, so that it cannot add a header or a line (control 74). */
export function oneLine(text: string): string {
  const line = printableText(text.normalize('NFC')).replace(/\s+/gu, ' ');
  const characters = [...line];
  return characters.length <= nameMaxLength
    ? line
    : `${characters
        .slice(0, nameMaxLength - 1)
        .join('')
        .trimEnd()}…`;
}

/** A name that a project chose. It may be `booking.com`, but not a full URL or markup. */
export function projectName(name: string): string {
  return oneLine(name).replace(scheme, '').replaceAll('](', '] (');
}

/**
 * A name that a user chose, for use in an email: mail programs find no link in it (control 75). `https://evil.com`
 * becomes `evil. com`.
 */
export function withoutLinks(name: string): string {
  return projectName(name)
    .replace(domainDot, '. ')
    .replace(ipv4, dotted => dotted.replaceAll('.', '. '));
}

/**
 * The name of a project member: as {@link withoutLinks}, but an email address, which stands for a missing name, is not
 * changed.
 */
export function memberName(name: string): string {
  return plainAddress.test(name) ? oneLine(name) : withoutLinks(name);
}
