import { isIP } from 'node:net';
import { auditTextMaxLength } from '@tessera/protocol';
import ipaddr from 'ipaddr.js';
import type { HttpHeaders } from '../../core/http-request.ts';
import type { RequestSource } from '../../core/request-source.ts';
import { statedCountry } from '../../platform/network/geo.ts';

export interface SourceSettings {
  /** The number of proxies, counted from the socket, that write `x-forwarded-for`. */
  readonly trustedProxyHops: number;
  readonly isDevelopment: boolean;
}

const ipv6BlockBits = 64;

export function requestSource(
  headers: HttpHeaders,
  { peerAddress, traceId }: { readonly peerAddress?: string | undefined; readonly traceId: string },
  { trustedProxyHops, isDevelopment }: SourceSettings,
): RequestSource {
  const address = findTrustedAddress(headers.get('x-forwarded-for'), peerAddress, trustedProxyHops);
  return {
    traceId,
    address: address?.text,
    block: address?.block,
    isOwnMachine: isDevelopment && address?.isLoopback === true,
    userAgent: headers.get('user-agent')?.slice(0, auditTextMaxLength) ?? null,
    // Without a proxy the header comes from the caller, who would choose what a notice tells the owner of the account.
    countryCode: trustedProxyHops === 0 ? null : statedCountry(headers),
  };
}

/** The address block that a request is charged to before its source is read; empty without a socket. */
export function senderBlock(
  headers: HttpHeaders,
  peerAddress: string | undefined,
  { trustedProxyHops }: Pick<SourceSettings, 'trustedProxyHops'>,
): string {
  return findTrustedAddress(headers.get('x-forwarded-for'), peerAddress, trustedProxyHops)?.block ?? '';
}

/**
 * Each proxy appends the address of its peer, so the last entries come from the operator's proxies, and a client can
 * forge all entries before them (control 71). An entry that is not an address ends the search.
 */
function findTrustedAddress(forwarded: string | null, peerAddress: string | undefined, hops: number) {
  const peer = peerAddress === undefined ? undefined : readAddress(peerAddress);
  if (hops === 0 || forwarded === null) return peer;
  const entries = forwarded.split(',').slice(-hops).reverse();
  let known = peer;
  for (const entry of entries) {
    const address = readAddress(entry.trim());
    if (address === undefined) return known;
    known = address;
  }
  return known;
}

/** What limits count as one address: an IPv4 address, or the /64 of an IPv6 address. Undefined for another text. */
export function addressBlock(address: string): string | undefined {
  return readAddress(address)?.block;
}

/** The canonical form of an IP address, which the log of a request has. Another text is returned as it is. */
export function canonicalAddress(address: string): string {
  return readAddress(address)?.text ?? address;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withPort = /^(?:\[([0-9a-fA-F:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** An IP address in its canonical form, and what depends on it. */
interface Address {
  readonly text: string;
  readonly block: string;
  readonly isLoopback: boolean;
}

/** An IPv6 address with brackets, zone and port is shorter. */
const maxAddressLength = 100;
const maxRemembered = 1_000;
const remembered = new Map<string, Address | undefined>();

/** Remembers parsed addresses, because the library takes 5 us for one, which is 3 % of a request. */
function readAddress(text: string): Address | undefined {
  if (text.length > maxAddressLength) return undefined;
  if (remembered.has(text)) return remembered.get(text);
  const address = parseAddress(text);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(text, address);
  return address;
}

function parseAddress(text: string): Address | undefined {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  const bare = (bracketed ?? dotted ?? text).split('%', 1)[0] ?? '';
  // The library also parses the legacy forms `127.1` and `0x7f000001`.
  if (isIP(bare) === 0) return undefined;
  const address = ipaddr.process(bare);
  return { text: address.toString(), block: toBlock(address), isLoopback: address.range() === 'loopback' };
}

function toBlock(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${ipv6BlockBits}`)}/${ipv6BlockBits}`;
}
