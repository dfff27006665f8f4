import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackHost, parseUrl } from '@tessera/protocol';
import type { HttpHeaders, HttpRequest } from '../../core/http-request.ts';

/** The host of a request without a Host header (HTTP/1.0, as in health checks). */
export const defaultHost = 'localhost';

/**
 * Returns whether the Host header of a request is a single host that a URL can contain. A request without the header
 * passes: HTTP/1.0 has none, and the HTTP parser refuses HTTP/1.1 without one (RFC 9112 section 3.2).
 */
export function hasUsableHost({ rawHeaders, headers: { host } }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>) {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count++;
  }
  return count <= 1 && (!host || isPlainHost(host) || canBeHost(host));
}

function canBeHost(host: string): boolean {
  return hostOnly.test(host) && !emptyPunycode.test(host) && parseUrl(`http://${host}`) !== undefined;
}

/** The characters of a host (RFC 3986 section 3.2.2) that are not encoded. */
const hostOnly = /^[\w!$&'()*+,;=:.~[\]-]+$/;

/** A label of Punycode without content. The URL parser of Node 20 refuses it, that of Node 26 does not. */
const emptyPunycode = /(?:^|\.)xn--(?=[.:]|$)/i;

/** A name without hyphens and digits at the front of a label, with a short port: the URL parser would not change it. */
export function isPlainHost(host: string): boolean {
  return plainHost.test(host);
}

const plainHost = /^(?:[a-z][a-z0-9]*\.)*[a-z][a-z0-9]*(?::\d{3,4})?$/;

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** Whether a proxy passed the request on: then the peer of the socket is not the caller. */
function isForwarded(headers: Pick<HttpHeaders, 'has'>): boolean {
  return forwardingHeaders.some(name => headers.has(name));
}

const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

export function isLoopback(peerAddress: string | undefined): boolean {
  return peerAddress !== undefined && loopbackAddresses.has(peerAddress);
}

/**
 * Returns whether a request for a development page comes from this machine and uses its host name. A page that uses DNS
 * rebinding to 127.0.0.1 sends its own host name. A request without a socket comes from this process.
 */
export function isFromDeveloper(
  { url, headers }: Pick<HttpRequest, 'url' | 'headers'>,
  peerAddress: string | undefined,
  publicUrl: string,
): boolean {
  if (isForwarded(headers)) return false;
  return isOwnName(new URL(url).hostname, publicUrl) && (peerAddress === undefined || isLoopback(peerAddress));
}

/** Whether a request names an address, this machine, or the host of the public URL: no page of DNS rebinding does. */
export function isFromOwnOrigin({ url }: Pick<HttpRequest, 'url'>, publicUrl: string): boolean {
  const { hostname } = new URL(url);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return isAddress || isOwnName(hostname, publicUrl);
}

function isOwnName(hostname: string, publicUrl: string): boolean {
  return isLoopbackHost(hostname) || hostname === new URL(publicUrl).hostname;
}
