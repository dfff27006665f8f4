import net from 'node:net';
import { dropOldest } from '../../../platform/drop-oldest.ts';
import { pinnedLookup } from '../../../platform/network/pinned-lookup.ts';
import type { ResolveName } from '../../../platform/network/resolve-name.ts';
import type { MailFailure } from '../queue/failures.ts';
import { createServerPaces } from './server-pace.ts';
import { type SmtpLimits, type SmtpServer, smtpTransport } from './smtp.ts';
import type { Message, Transport } from './transport.ts';

/** Connections to mail servers of projects, whose addresses are untrusted input. */
export interface OwnMailServers {
  /** A transport with few connections, which close after some time without emails. */
  transportTo(server: SmtpServer, projectId: string): Transport;
  /** The jobs at once of each project that has used a server of its own lately. */
  limits(): ReadonlyMap<string, number>;
  /** Makes one attempt on a new connection. @returns the failure, null on success */
  tryOnce(server: SmtpServer, message: Message): Promise<MailFailure | null>;
  close(): void;
}

export interface OwnMailServersOptions {
  /** Decides which addresses may be connected to (control 86). */
  readonly mayReach: (address: string) => boolean;
  /** Resolves all addresses of a host name; default: the system's resolver. */
  readonly resolve?: ResolveName;
  /** Timeout for each response of the server, and for a whole attempt of `tryOnce`. */
  readonly timeoutMs: number;
}

/** Maximum number of pooled transports. They have open connections only while there are emails. */
const maxPooled = 100;
const maxConnections = 2;
/** Total time per email in multiples of the timeout, for a server that sends data without end. */
const totalTimeouts = 3;
/**
 * Concurrent jobs of a project with its own mail server. Further ones would wait for a connection and block other
 * projects.
 */
const jobsPerProject = 8;
/** Maximum number of projects in memory that have their own mail server. */
const maxProjects = 200;

export function createOwnMailServers(options: OwnMailServersOptions): OwnMailServers {
  const { timeoutMs } = options;
  /** Least recently used first. */
  const pooled = new Map<string, PooledTransport>();
  const projects = new Map<string, number>();
  const paces = createServerPaces(timeoutMs / 2);
  const limits: SmtpLimits = {
    connectionTimeoutMs: timeoutMs,
    socketTimeoutMs: timeoutMs,
    totalMs: totalTimeouts * timeoutMs,
    maxConnections,
    idleTimeoutMs: timeoutMs,
    maxRequeues: 1,
  };
  const connect = (server: SmtpServer) => openSocket(server, options);

  function pooledTransport(server: SmtpServer): Transport {
    const name = JSON.stringify(server);
    const known = pooled.get(name) ?? createPooledTransport(smtpTransport(server, { limits, connect }));
    pooled.delete(name);
    pooled.set(name, known);
    closeOldest(pooled);
    return known.transport;
  }

  function rememberProject(projectId: string): void {
    projects.delete(projectId);
    projects.set(projectId, jobsPerProject);
    dropOldest(projects, maxProjects);
  }

  return {
    transportTo(server, projectId) {
      const transport = pooledTransport(server);
      rememberProject(projectId);
      // Not by user name, which a project may change at any time.
      const paced = { server: `${server.host}:${server.port}`, projectId };
      return {
        ...transport,
        send: message => paces.time(paced, () => transport.send(message)),
        room: () => paces.roomFor(paced),
      };
    },
    limits: () => projects,
    async tryOnce(server, message) {
      const once = { ...limits, totalMs: timeoutMs, maxConnections: 1, maxRequeues: 0 };
      const transport = smtpTransport(server, { limits: once, connect });
      try {
        return await transport.send(message);
      } finally {
        transport.close();
      }
    },
    close: () => {
      for (const { transport } of pooled.values()) transport.close();
      pooled.clear();
    },
  };
}

interface PooledTransport {
  readonly transport: Transport;
  /** Number of emails in flight. */
  readonly emails: () => number;
}

function createPooledTransport(transport: Transport): PooledTransport {
  let emails = 0;
  const send = async (message: Message) => {
    emails += 1;
    try {
      return await transport.send(message);
    } finally {
      emails -= 1;
    }
  };
  return { transport: { ...transport, send }, emails: () => emails };
}

function closeOldest(pooled: Map<string, PooledTransport>): void {
  if (pooled.size <= maxPooled) return;
  const [oldest] = [...pooled].filter(([, { emails }]) => emails() === 0);
  if (oldest === undefined) return;
  const [name, { transport }] = oldest;
  pooled.delete(name);
  transport.close();
}

/** Opens a connection to a checked address. The name is resolved once, so the address cannot change in between. */
function openSocket(
  { host, port }: SmtpServer,
  { mayReach, timeoutMs, resolve }: OwnMailServersOptions,
): Promise<net.Socket> {
  return new Promise((opened, failed) => {
    // Node connects to localhost for an empty name.
    if (host === '') throw unreachableHost('there is no host');
    if (net.isIP(host) !== 0 && !mayReach(host)) throw unreachableHost(`${host} is not a public address`);
    const denied = (hostname: string) => unreachableHost(`${hostname} has no public address`);
    const lookup = pinnedLookup({ resolve, permits: mayReach, denied });
    const socket = net.connect({ host, port, lookup });
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

function unreachableHost(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'EDNS' });
}
