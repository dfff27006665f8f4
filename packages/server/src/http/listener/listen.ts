import type { IncomingMessage, Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { headersMaxBytes } from '@tessera/protocol';
import type { Connection } from '../../core/connection.ts';
import { commonHeaders, textType } from '../response/respond.ts';
import type { App } from '../router.ts';
import { createDrain } from './drain.ts';
import { defaultHost, hasUsableHost } from './host.ts';

const maxConnections = 10_000;

/** Time limits for a client; a slower one is disconnected (control 80). In milliseconds. */
export interface ClientTimeouts {
  /** For all headers. */
  readonly headersMs: number;
  /** For headers and body. */
  readonly requestMs: number;
  /** Between two requests of a connection: longer than the 60 s after which load balancers close theirs. */
  readonly keepAliveMs: number;
  /** Interval of the check for slow clients. */
  readonly checkMs: number;
}

export const clientTimeouts: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 75_000,
  checkMs: 2_000,
};

export interface Listener {
  readonly port: number;
  /** Stops without losing a request. */
  readonly drain: ReturnType<typeof createDrain>;
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly timeouts: ClientTimeouts;
}

const invalidHost = { status: 400, headers: { ...commonHeaders(false), 'content-type': textType } };

/** Puts the app behind a socket. */
export function listen(app: App, { host, port, timeouts }: ListenOptions): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: (request, environment) => {
      const { incoming } = environment as { incoming: IncomingMessage };
      if (!hasUsableHost(incoming)) return new Response('The Host header is not valid.', invalidHost);
      return app(request, connectionOf(incoming));
    },
    hostname: defaultHost,
    serverOptions: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: headersMaxBytes,
    },
  }) as Server;
  server.maxConnections = maxConnections;
  const drain = createDrain(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ port: portOf(server), drain }));
  });
}

function connectionOf({ socket: { remoteAddress } }: IncomingMessage): Connection {
  return remoteAddress === undefined ? {} : { peerAddress: remoteAddress };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
