import dns from 'node:dns/promises';
import { createConcurrencyLimiter } from '../rate-limits/concurrency-limiter.ts';

/** Returns all addresses of a name. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

interface ResolverOptions {
  /** Addresses of the name servers. Default: those of the system. */
  readonly servers?: readonly string[];
  /** Resolves names that the name servers do not know. Default: the resolver of the system. */
  readonly lookup?: ResolveName;
  /** Time limit of the first question to a name server in milliseconds; a second one takes twice as long. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 2_000;
/** Lookups that wait for the running one. */
const lookupsWaitingMax = 19;

/**
 * Resolves names that customers set. The system's resolver blocks a thread of which a process has few, so names whose
 * servers never answer would stop all other lookups (control 86). The name servers are asked without a thread; only a name
 * that they do not know, such as one of the hosts file, goes to the system's resolver, one at a time.
 */
export function createNameResolver({
  servers,
  lookup = lookUp,
  timeoutMs = defaultTimeoutMs,
}: ResolverOptions = {}): ResolveName {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const turns = createConcurrencyLimiter({ atOnce: 1, maxWaiting: lookupsWaitingMax });

  return async hostname => {
    if (isLocal(hostname)) return lookup(hostname);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    for (const answer of answers) if (answer.status === 'rejected' && isTimeout(answer.reason)) throw answer.reason;
    const found = await turns.take('', () => lookup(hostname));
    if (found === undefined) throw new Error(`too many names wait for the system's resolver`);
    return found.value;
  };
}

/** Answered without a name server (RFC 6761, section 6.3). */
function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isTimeout(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ETIMEOUT';
}

async function lookUp(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
