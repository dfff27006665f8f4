import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { corsHeaders, headersMaxBytes, responseHeaders } from '@tessera/protocol';
import type { Connection } from '../../core/connection.ts';
import { randomRequestId } from '../../platform/crypto/random.ts';
import type { Log } from '../../platform/observability/log.ts';
import { textType } from '../response/content-types.ts';
import type { Reply } from '../response/reply.ts';
import { commonHeaders } from '../response/respond.ts';
import type { Handler } from '../router.ts';
import { limitConnectionsOfAddress } from './address-connections.ts';
import { createDrain, type Drain } from './drain.ts';
import { hasUsableHost } from './host.ts';
import { createKeptBytes, type KeptBytes } from './kept-bytes.ts';
import { fromIncoming } from './node-request.ts';
import { send } from './send.ts';
import { inTurn } from './turns.ts';
import { createUnsentAnswers, type UnsentAnswers } from './unsent-answers.ts';

const maxConnections = 10_000;
const unsentMaxBytes = 128 * 1024 * 1024;
const incomingMaxBytes = 128 * 1024 * 1024;
const maxConnectionsOfAddress = 1_000;

/** Time limits for a client; a slower one is disconnected (control 80). In milliseconds. */
export interface ClientTimeouts {
  /** The time in which a client must send all headers. */
  readonly headersMs: number;
  /** The time in which a client must send headers and body. */
  readonly requestMs: number;
  /** The time in which a client must read a part of its answer. */
  readonly stallMs: number;
  /** Between two requests of a connection: longer than the 60 s after which load balancers close theirs. */
  readonly keepAliveMs: number;
  /** Interval of the check for slow clients. */
  readonly checkMs: number;
}

export const clientTimeouts: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  stallMs: 30_000,
  keepAliveMs: 75_000,
  checkMs: 2_000,
};

export interface Listener {
  readonly port: number;
  /** Stops without losing a request. */
  readonly drain: Drain['stop'];
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly timeouts: ClientTimeouts;
  /** The number of proxies in front: with one, all connections come from it. */
  readonly trustedProxyHops: number;
  readonly rateLimits: 'on' | 'off';
  readonly log: Log;
}

/** Puts the server behind a socket. */
export function listen(handle: Handler, options: ListenOptions): Promise<Listener> {
  const { host, port, timeouts, trustedProxyHops, rateLimits, log } = options;
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    maxHeaderSize: headersMaxBytes,
    // Without it, Node keeps the first of some repeated headers, and a proxy in front may have read the last.
    joinDuplicateHeaders: true,
  });
  server.maxConnections = maxConnections;
  if (trustedProxyHops === 0 && rateLimits === 'on') limitConnectionsOfAddress(server, maxConnectionsOfAddress, log);
  // Node drops the headers after this number, and the last one may be that of the proxy. Their size is limited.
  server.maxHeadersCount = 0;
  const drain = createDrain(server);
  const unsent = createUnsentAnswers({ stallMs: timeouts.stallMs, maxBytes: unsentMaxBytes });
  const bodies = createKeptBytes<IncomingMessage>(incomingMaxBytes);
  server.on(
    'request',
    inTurn((incoming, outgoing) => drain.watch(serve(incoming, outgoing, { handle, log, unsent, bodies }))),
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ port: portOf(server), drain: drain.stop }));
  });
}

const textHeaders = { ...commonHeaders(false), 'content-type': textType };

interface Serving {
  readonly handle: Handler;
  readonly log: Log;
  readonly unsent: UnsentAnswers;
  /** The bodies that have begun to arrive. */
  readonly bodies: KeptBytes<IncomingMessage>;
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { handle, log, unsent, bodies }: Serving,
): Promise<void> {
  // Node does not parse what follows such a request in the same segment.
  if (incoming.headers.upgrade !== undefined) outgoing.setHeader('connection', 'close');
  try {
    await send(outgoing, await answer(incoming, { handle, bodies }), unsent);
  } catch (error) {
    log.error({ error }, 'a response could not be sent');
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500, textHeaders).end('Something went wrong on our side.');
  }
}

async function answer(
  incoming: IncomingMessage,
  { handle, bodies }: Pick<Serving, 'handle' | 'bodies'>,
): Promise<Reply> {
  if (!hasUsableHost(incoming)) return refuse(incoming, 'The Host header is not valid.');
  const request = fromIncoming(incoming, bodies);
  if (request === undefined) return refuse(incoming, 'The address of the request is not valid.');
  return handle(request, connectionOf(incoming));
}

/** Below `/api/` every response has the headers of docs/contract/envelope.md#cors and an id, whatever its status. */
function refuse({ url = '' }: IncomingMessage, body: string): Reply {
  if (!url.startsWith('/api/')) return { status: 400, headers: textHeaders, body };
  const headers = { ...textHeaders, ...corsHeaders, [responseHeaders.requestId]: randomRequestId() };
  return { status: 400, headers, body };
}

function connectionOf({ socket: { remoteAddress } }: IncomingMessage): Connection {
  return remoteAddress === undefined ? {} : { peerAddress: remoteAddress };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
