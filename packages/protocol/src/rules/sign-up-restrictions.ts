/**
 * Which email addresses may sign up (docs/contract/sign-in-methods.md#sign-up-restrictions). The server decides with these
 * functions, and the dashboard shows with them what it will decide.
 * This file is an entry point of the package and part of the browser bundle: no dependencies, no platform APIs.
 */
import { isStrictEmail } from '../fields/email-syntax.ts';
import { domainMaxLength } from '../limits.ts';
import { parseUrl } from '../urls.ts';

/**
 * With which email addresses people can sign up. An entry is a domain (`example.com`), the subdomains of one
 * (`*.example.com`), or an address. Each list has at most 1,000 entries, spelled as `normalizeSignUpEntry` returns them.
 */
export interface SignUpRestrictions {
  /** Only these can sign up. Empty: all that are not blocked. */
  readonly allowed: readonly string[];
  /** These cannot sign up. An allowed address wins over a blocked domain. */
  readonly blocked: readonly string[];
}

/** What the restrictions say about an address. */
export interface SignUpDecision {
  /** Whether it can sign up. */
  readonly isAllowed: boolean;
  /** The entry that decides; undefined when the lists do not have the address. */
  readonly entry: string | undefined;
}

/**
 * The spelling in which an entry is stored: lower case, the domain as ASCII (IDNA). `@example.com` and `*@example.com`
 * become `example.com`.
 *
 * @returns the entry, or undefined if the text is not a domain, a domain after `*.`, or an email address
 *
 * @example
 * normalizeSignUpEntry('*.Bücher.example'); // '*.xn--bcher-kva.example'
 */
export function normalizeSignUpEntry(text: string): string | undefined {
  const entry = text.trim().replace(/^\*?@/, '');
  const domainStart = entry.startsWith('*.') ? 2 : entry.lastIndexOf('@') + 1;
  const prefix = entry.slice(0, domainStart);
  const domain = asciiDomain(entry.slice(domainStart));
  if (domain === undefined || domain.length > domainMaxLength) return undefined;
  // Checked before it is lower-cased, which makes an ASCII `k` of the Kelvin sign: that would be another address.
  if (!isStrictEmail(`${samplePrefixes[prefix] ?? prefix}${domain}`)) return undefined;
  return `${prefix.toLowerCase()}${domain}`;
}

/** The beginning of an address whose domain an entry covers. */
const samplePrefixes: Readonly<Record<string, string>> = { '': 'a@', '*.': 'a@a.' };

/**
 * Decides whether an address may sign up. A blocked address is refused, and an allowed one accepted. Otherwise a blocked
 * domain is refused, and an allowed one accepted. Any other address is accepted while nothing is allowed explicitly.
 *
 * @param address normalized; null for an account without an address
 *
 * @example
 * decideSignUp('ada@shop.example', { allowed: ['shop.example'], blocked: [] }); // { isAllowed: true, entry: 'shop.example' }
 */
export function decideSignUp(address: string | null, { allowed, blocked }: SignUpRestrictions): SignUpDecision {
  if (address === null) return { isAllowed: allowed.length === 0, entry: undefined };
  if (blocked.includes(address)) return { isAllowed: false, entry: address };
  if (allowed.includes(address)) return { isAllowed: true, entry: address };
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const blocking = blocked.find(entry => coversDomain(entry, domain));
  if (blocking !== undefined) return { isAllowed: false, entry: blocking };
  const allowing = allowed.find(entry => coversDomain(entry, domain));
  return { isAllowed: allowing !== undefined || allowed.length === 0, entry: allowing };
}

function coversDomain(entry: string, domain: string): boolean {
  return entry.startsWith('*.') ? domain.endsWith(entry.slice(1)) : entry === domain;
}

/** The URL parser maps other letters to ASCII. It would also read a path or an IPv4 address, so only names reach it. */
function asciiDomain(domain: string): string | undefined {
  if (/^[a-zA-Z0-9.-]*$/.test(domain)) return domain.toLowerCase();
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? parseUrl(`http://${domain}`)?.hostname : undefined;
}
