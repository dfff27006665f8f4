import type { IncomingMessage } from 'node:http';

/** The host that a request without a Host header means (HTTP/1.0, as health checks send it). */
export const defaultHost = 'localhost';

/**
 * Whether the Host header of a request is one host that a URL can hold. Without a header it is: HTTP/1.0 has none, and
 * the HTTP parser refuses HTTP/1.1 without one (RFC 9112 section 3.2).
 */
export function hasUsableHost({ rawHeaders, headers: { host } }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>) {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return count <= 1 && (!host || URL.canParse(`http://${host}`));
}

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

export function isLoopback(peerAddress: string | undefined): boolean {
  return peerAddress !== undefined && loopbackAddresses.has(peerAddress);
}

/**
 * Whether a request for a development page comes from this machine and names it: a page of another site that has
 * rebound its name to 127.0.0.1 names itself. Without a socket the caller is this process.
 */
export function isFromDeveloper(url: string, peerAddress: string | undefined, publicUrl: string): boolean {
  const { hostname } = new URL(url);
  const isKnownHost = loopbackHosts.includes(hostname) || hostname === new URL(publicUrl).hostname;
  return isKnownHost && (peerAddress === undefined || isLoopback(peerAddress));
}
