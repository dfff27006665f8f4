import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests that run longer than this are cut off. */
const cutOffMs = 10_000;
const idleCheckMs = 50;
/** A new connection has this time to send its first byte: its request may be on the way. */
const firstByteMs = 2_000;

/**
 * Prepares a server for a stop that loses no request. Call it before the server listens.
 *
 * @returns a function that drains the server: for `graceMs` it accepts connections and requests, and each response has
 *   `Connection: close`; then it stops accepting, ends idle connections and waits for running requests and for those of new connections
 * Control 101: a stop drains the running requests.
 */
export function createDrain(server: Server): (graceMs: number) => Promise<void> {
  const connections = trackConnections(server);
  let isDraining = false;

  // Registered before the app's listener, so that the header is set when the head is written.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) closeAfterResponse(response);
    else connections.begin(response);
  });

  return async graceMs => {
    isDraining = true;
    for (const response of connections.running()) closeAfterResponse(response);
    if (graceMs > 0) await pause(graceMs);
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    const idle = setInterval(() => {
      for (const socket of connections.silent()) socket.destroy();
      // A response whose head was written before the drain leaves its connection open.
      server.closeIdleConnections();
    }, idleCheckMs);
    const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs);
    await closed;
    clearInterval(idle);
    clearTimeout(cutOff);
  };
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

interface Connections {
  /** Records the running response of a connection. */
  begin(response: ServerResponse): void;
  running(): ServerResponse[];
  /** Connections that have not sent a byte in `firstByteMs`: Node does not count them as idle. */
  silent(): Socket[];
}

/**
 * The connections and the running response of each. The map changes its keys once per connection. A set of responses
 * would change with each request: V8 links its replaced tables, so after the first is in the old generation every
 * table keeps its responses alive until a full collection: each scavenge promoted twice the bytes (Node 20, refresh).
 */
function trackConnections(server: Server): Connections {
  const responses = new Map<Socket, ServerResponse | undefined>();
  const openedAt = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    responses.set(socket, undefined);
    openedAt.set(socket, performance.now());
    socket.once('close', () => responses.delete(socket));
  });
  return {
    begin(response) {
      const { socket } = response;
      if (socket === null || !responses.has(socket)) return;
      responses.set(socket, response);
      response.once('close', () => {
        if (responses.get(socket) === response) responses.set(socket, undefined);
      });
    },
    running: () => [...responses.values()].filter(response => response !== undefined),
    silent() {
      const latest = performance.now() - firstByteMs;
      return [...responses.keys()].filter(socket => socket.bytesRead === 0 && (openedAt.get(socket) ?? 0) <= latest);
    },
  };
}
