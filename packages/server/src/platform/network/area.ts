import ipaddr from 'ipaddr.js';

/** Prefix lengths that providers usually announce. A new address with the same prefix counts as the same place. */
const areaBits = { ipv4: 16, ipv6: 32 } as const;

/** The network that an address belongs to, as a coarse place: `192.0.0.0/16`. Undefined for a text that is not an address. */
export function networkArea(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  const bits = areaBits[parsed.kind()];
  const parser = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${parser.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}
