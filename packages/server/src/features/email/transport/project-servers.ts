import dns from 'node:dns/promises';
import net from 'node:net';
import type { MailFailure } from '../queue/failures.ts';
import { type SmtpLimits, type SmtpServer, smtpTransport } from './smtp.ts';
import type { Message, Transport } from './transport.ts';

/** Mail servers that projects brought along: addresses that strangers gave. */
export interface OwnMailServers {
  /** A server over few connections, which end when there is no mail for a while. */
  transportTo(server: SmtpServer): Transport;
  /** One attempt on a connection of its own. @returns why the letter was not taken, null when it was */
  tryOnce(server: SmtpServer, message: Message): Promise<MailFailure | null>;
  close(): void;
}

export interface OwnMailServersOptions {
  /** Which addresses may be connected to (control 86). */
  readonly mayReach: (address: string) => boolean;
  /** Every address of a name; the system's resolver otherwise. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** For a word of the server, and for one attempt of `tryOnce` in all. */
  readonly timeoutMs: number;
}

/** Servers that are kept at hand; each holds connections only while it has mail. */
const maxKept = 100;
const maxConnections = 2;
/** A server that always has one more word to say must not hold up the mail of others: a few times one timeout. */
const totalTimeouts = 3;
/** Letters on their way to slow servers, to each of them one: the others wait, so that quick servers find room. */
const maxSlowLetters = 2;

export function createOwnMailServers(options: OwnMailServersOptions): OwnMailServers {
  const { timeoutMs } = options;
  const kept = new Map<string, Kept>();
  const limits: SmtpLimits = {
    connectionTimeoutMs: timeoutMs,
    socketTimeoutMs: timeoutMs,
    totalMs: totalTimeouts * timeoutMs,
    maxConnections,
    idleTimeoutMs: timeoutMs,
    maxRequeues: 1,
  };
  const connect = (server: SmtpServer) => openSocket(server, options);
  const slowLetters = () => [...kept.values()].reduce((sum, one) => sum + (one.isSlow() ? one.letters() : 0), 0);

  return {
    transportTo(server) {
      const name = JSON.stringify(server);
      const known = kept.get(name) ?? keep(smtpTransport(server, { limits, connect }), timeoutMs / 2);
      // Back to the end: the first is the one that was not used for the longest time.
      kept.delete(name);
      kept.set(name, known);
      closeOldest(kept);
      return {
        ...known.transport,
        hasRoom: () => !known.isSlow() || (known.letters() === 0 && slowLetters() < maxSlowLetters),
      };
    },
    async tryOnce(server, message) {
      const once = { ...limits, totalMs: timeoutMs, maxConnections: 1, maxRequeues: 0 };
      const transport = smtpTransport(server, { limits: once, connect });
      try {
        return await transport.hand(message);
      } finally {
        transport.close();
      }
    },
    close: () => {
      for (const { transport } of kept.values()) transport.close();
      kept.clear();
    },
  };
}

interface Kept {
  readonly transport: Transport;
  /** On their way at the moment. */
  readonly letters: () => number;
  /** How it was with the last letter. */
  readonly isSlow: () => boolean;
}

function keep(transport: Transport, slowMs: number): Kept {
  let letters = 0;
  let isSlow = false;
  const hand = async (message: Message) => {
    const startedAt = performance.now();
    letters += 1;
    try {
      return await transport.hand(message);
    } finally {
      letters -= 1;
      isSlow = performance.now() - startedAt > slowMs;
    }
  };
  return { transport: { ...transport, hand }, letters: () => letters, isSlow: () => isSlow };
}

function closeOldest(kept: Map<string, Kept>): void {
  if (kept.size <= maxKept) return;
  const [oldest] = [...kept].filter(([, { letters }]) => letters() === 0);
  if (oldest === undefined) return;
  const [name, { transport }] = oldest;
  kept.delete(name);
  transport.close();
}

/** A connection to an address that was checked: the name is resolved once, and cannot change in between. */
function openSocket(
  { host, port }: SmtpServer,
  { mayReach, timeoutMs, resolve = resolveName }: OwnMailServersOptions,
): Promise<net.Socket> {
  return new Promise((opened, failed) => {
    // Node would take an empty name for this machine.
    if (host === '') throw unreachableHost('there is no host');
    if (net.isIP(host) !== 0 && !mayReach(host)) throw unreachableHost(`${host} is not a public address`);
    const socket = net.connect({ host, port, lookup: checkedLookup(resolve, mayReach) });
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    socket.on('error', failed);
    socket.on('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      opened(socket);
    });
  });
}

function checkedLookup(
  resolve: (hostname: string) => Promise<readonly string[]>,
  mayReach: (address: string) => boolean,
): net.LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      found => {
        const addresses = found.filter(mayReach).map(address => ({ address, family: net.isIP(address) }));
        const [first] = addresses;
        if (first === undefined) return done(unreachableHost(`${hostname} has no public address`), '', 0);
        if (options.all === true) return done(null, addresses);
        done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
}

async function resolveName(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

function unreachableHost(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'EDNS' });
}
