import type { ProjectConfig } from './config.ts';

type TrustConfig = Pick<ProjectConfig, 'allowLocalhost' | 'domains'>;

/** A URL of these is a program or a document of its own, whatever it names as host. */
const runsByItself = /^(?:javascript|vbscript|data):$/;

/**
 * Whether mail links and redirects may lead to a URL (sign-in-methods.md 2.4): a local host when the project allows
 * them, or a trusted domain: same scheme, same host, path begins with the domain's path. Ports are not compared.
 */
export function isTrustedUrl(text: string, config: TrustConfig): boolean {
  const url = parsed(text);
  if (url === undefined) return false;
  if (runsByItself.test(url.protocol)) return false;
  // What stands before an @ is not the host, but people read it as one.
  if (url.username !== '' || url.password !== '') return false;
  if (config.allowLocalhost && isLocalHost(url.hostname)) return true;
  return config.domains.some(({ domain }) => isBelow(url, parsed(domain)));
}

/** `localhost`, a name below it, or 127.x.y.z; the parser has written the address in full by now. */
export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function isBelow(url: URL, domain: URL | undefined): boolean {
  if (domain === undefined) return false;
  return (
    url.protocol === domain.protocol && url.hostname === domain.hostname && url.pathname.startsWith(domain.pathname)
  );
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
