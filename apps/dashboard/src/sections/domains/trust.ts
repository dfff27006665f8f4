import type { AdminProjectConfig } from '@tessera/client';
import type { words } from './words.ts';

type TrustConfig = Pick<AdminProjectConfig, 'allowLocalhost' | 'domains'>;

/** Whether a URL is trusted, and the reason as a key of the words with its subject. */
export interface Verdict {
  readonly isTrusted: boolean;
  readonly reason: keyof typeof words.verdict;
  /** The domain, host or scheme that the reason names. */
  readonly subject: string;
}

/** URLs with these schemes run a program or open a document, regardless of their host. */
const runsByItself = /^(?:javascript|vbscript|data|blob|file|about|intent|mailto):$/;

/**
 * Explains whether the server accepts a URL for redirects and email links (docs/contract/projects.md#trusted-domains).
 * The server decides with the same rule; the journey of this section compares the two.
 */
export function explainTrust(text: string, { allowLocalhost, domains }: TrustConfig): Verdict {
  const url = parse(text);
  if (url === undefined) return refused('not-absolute');
  if (runsByItself.test(url.protocol)) return refused('scheme-refused', url.protocol.replace(':', ''));
  if (url.username !== '' || url.password !== '') return refused('has-credentials');

  const isLocal = isLocalHost(url.hostname);
  if (isLocal && allowLocalhost) return { isTrusted: true, reason: 'local-allowed', subject: '' };

  const sameHost = domains.filter(({ domain }) => parse(domain)?.hostname === url.hostname);
  const sameScheme = sameHost.filter(({ domain }) => parse(domain)?.protocol === url.protocol);
  const match = sameScheme.find(({ domain }) => url.pathname.startsWith(parse(domain)?.pathname ?? '/'));
  if (match) return { isTrusted: true, reason: 'domain-matches', subject: match.domain };
  if (sameScheme[0]) return refused('other-path', sameScheme[0].domain);
  if (sameHost[0]) return refused('other-scheme', sameHost[0].domain);
  return isLocal ? refused('local-forbidden') : refused('unknown-host', url.hostname);
}

function refused(reason: Verdict['reason'], subject = ''): Verdict {
  return { isTrusted: false, reason, subject };
}

function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
