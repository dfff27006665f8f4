import dns from 'node:dns/promises';
import net, { type LookupFunction } from 'node:net';

/** Returns all addresses of a name. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

export interface PinnedLookupOptions {
  /** Default: the system's resolver. */
  readonly resolve?: ResolveName | undefined;
  readonly permits: (address: string) => boolean;
  /** The error for a name without a permitted address. */
  readonly denied: (hostname: string) => Error;
  /** The error for a name that is not resolved. Default: the resolver's. */
  readonly notFound?: (hostname: string, cause: unknown) => Error;
}

/** Connects only to addresses that were checked, so a name cannot change between check and connection (control 86). */
export function pinnedLookup(options: PinnedLookupOptions): LookupFunction {
  const { resolve = resolveName, permits, denied, notFound = (_, cause: Error) => cause } = options;
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      found => {
        const addresses = found.filter(permits).map(address => ({ address, family: net.isIP(address) }));
        const [first] = addresses;
        if (first === undefined) return callback(denied(hostname), '', 0);
        if (all === true) return callback(null, addresses);
        callback(null, first.address, first.family);
      },
      (cause: Error) => callback(notFound(hostname, cause), '', 0),
    );
  };
}

async function resolveName(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
