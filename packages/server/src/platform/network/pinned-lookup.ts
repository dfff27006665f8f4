import net, { type LookupFunction } from 'node:net';
import { createNameResolver, type ResolveName } from './resolve-name.ts';

const resolveName = createNameResolver();

export interface PinnedLookupOptions {
  /** Default: that of `createNameResolver`, one for the process. */
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
