/**
 * Which URLs a project trusts for redirects and email links (docs/contract/projects.md#trusted-domains). The server decides
 * with these functions, and the dashboard explains with them what it will decide.
 * This file is an entry point of the package and part of the browser bundle: no dependencies, no platform APIs.
 */
import { isLocalHost, parseUrl } from '../urls.ts';

/** The settings of a project that decide which URLs it trusts. */
export interface TrustSettings {
  /** Whether local hosts are trusted, with any scheme, port and path. */
  readonly allowLocalhost: boolean;
  /** The trusted domains. One that is not a URL trusts nothing. */
  readonly domains: readonly { readonly domain: string }[];
}

/** Whether a URL is trusted, and why. */
export interface TrustDecision {
  /** Whether redirects and email links can lead to the URL. */
  readonly isTrusted: boolean;
  /** What decided. */
  readonly reason: TrustReason;
  /** The domain, host or scheme that the reason is about; empty for a reason about the whole URL. */
  readonly subject: string;
}

/** Why a URL is trusted (`local-allowed`, `domain-matches`) or not (all others). */
export type TrustReason =
  | 'local-allowed'
  | 'domain-matches'
  | 'not-absolute'
  | 'scheme-refused'
  | 'has-credentials'
  | 'other-path'
  | 'other-scheme'
  | 'local-forbidden'
  | 'unknown-host';

/** URLs with these schemes run a program or open a document, whatever host they name. */
const runsByItself = /^(?:javascript|vbscript|data|blob|file|about|intent|mailto):$/;

/**
 * Decides whether a project trusts a URL: a local host when the project allows them, or a trusted domain, which has the same
 * scheme, the same host, and a path that is a prefix. Ports are not compared, and a wildcard matches only itself. Control 47.
 *
 * @example
 * decideTrust('http://shop.example/', { allowLocalhost: true, domains: [{ domain: 'https://shop.example' }] });
 * // { isTrusted: false, reason: 'other-scheme', subject: 'https://shop.example' }
 */
export function decideTrust(text: string, { allowLocalhost, domains }: TrustSettings): TrustDecision {
  const url = parseUrl(text);
  if (url === undefined) return refused('not-absolute');
  if (runsByItself.test(url.protocol)) return refused('scheme-refused', url.protocol.replace(':', ''));
  // People read the part before an @ as the host.
  if (url.username !== '' || url.password !== '') return refused('has-credentials');

  const isLocal = isLocalHost(url.hostname);
  if (isLocal && allowLocalhost) return { isTrusted: true, reason: 'local-allowed', subject: '' };

  const sameHost = domains.filter(({ domain }) => parseUrl(domain)?.hostname === url.hostname);
  const sameScheme = sameHost.filter(({ domain }) => parseUrl(domain)?.protocol === url.protocol);
  const match = sameScheme.find(({ domain }) => url.pathname.startsWith(parseUrl(domain)?.pathname ?? '/'));
  if (match) return { isTrusted: true, reason: 'domain-matches', subject: match.domain };
  if (sameScheme[0]) return refused('other-path', sameScheme[0].domain);
  if (sameHost[0]) return refused('other-scheme', sameHost[0].domain);
  return isLocal ? refused('local-forbidden') : refused('unknown-host', url.hostname);
}

function refused(reason: TrustReason, subject = ''): TrustDecision {
  return { isTrusted: false, reason, subject };
}

/** Whether a project trusts a URL, as {@link decideTrust} decides. */
export function isTrustedUrl(text: string, settings: TrustSettings): boolean {
  return decideTrust(text, settings).isTrusted;
}

/**
 * Whether a trusted domain has a wildcard. Hosts are compared as they are written, so no site has such a host, and no link
 * can lead to it.
 *
 * @example
 * hasWildcard('https://*.example.com'); // true
 */
export function hasWildcard(domain: string): boolean {
  return domain.includes('*');
}
