import { isIP } from 'node:net';
import { auditTextMaxLength } from '@tessera/protocol';
import ipaddr from 'ipaddr.js';

/** Where a request comes from, as far as the operator's own proxies vouch for it. */
export interface RequestSource {
  /** In its one spelling: RFC 5952, IPv4 also where it was mapped into IPv6. Undefined without a socket. */
  readonly address: string | undefined;
  /** What limits are counted by: the address, of IPv6 the /64 that one customer of a provider has. */
  readonly block: string | undefined;
  /** A developer at this machine, whose tests sign up by the thousand. */
  readonly isOwnMachine: boolean;
  readonly userAgent: string | null;
}

export interface SourceSettings {
  /** How many proxies, counted from the socket, write `x-forwarded-for`. */
  readonly trustedProxyHops: number;
  readonly isDevelopment: boolean;
}

const ipv6BlockBits = 64;

export function requestSource(
  headers: Headers,
  peerAddress: string | undefined,
  { trustedProxyHops, isDevelopment }: SourceSettings,
): RequestSource {
  const address = trustedAddress(headers.get('x-forwarded-for'), peerAddress, trustedProxyHops);
  return {
    address: address?.toString(),
    block: address === undefined ? undefined : blockOf(address),
    isOwnMachine: isDevelopment && address?.range() === 'loopback',
    userAgent: headers.get('user-agent')?.slice(0, auditTextMaxLength) ?? null,
  };
}

/**
 * Each proxy appends whom it was called by, so the last entries are the operator's own and everything before them may
 * be made up by the client (control 71). An entry that is no address tells nothing; then it is the one behind it.
 */
function trustedAddress(forwarded: string | null, peerAddress: string | undefined, hops: number) {
  const peer = parsed(peerAddress);
  if (hops === 0 || forwarded === null) return peer;
  const entries = forwarded.split(',').slice(-hops).reverse();
  let known = peer;
  for (const entry of entries) {
    const address = parsed(entry.trim());
    if (address === undefined) return known;
    known = address;
  }
  return known;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withPort = /^(?:\[([0-9a-fA-F:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

function parsed(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text === undefined) return undefined;
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  const bare = (bracketed ?? dotted ?? text).split('%', 1)[0] ?? '';
  // The library reads more as addresses than the world does: `127.1`, `0x7f000001`.
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}

function blockOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${ipv6BlockBits}`)}/${ipv6BlockBits}`;
}
