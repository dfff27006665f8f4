import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests that run longer than this are cut off. */
const cutOffMs = 10_000;
const idleCheckMs = 50;

/**
 * Prepares a server for a stop that loses no request. Call it before the server listens.
 *
 * @returns a function that drains the server: for `graceMs` it accepts connections and requests, and each response has
 *   `Connection: close`; then it stops accepting, ends idle connections and waits for running requests
 * Control 101: a stop drains the running requests.
 */
export function createDrain(server: Server): (graceMs: number) => Promise<void> {
  const silent = trackSilentSockets(server);
  const running = new Set<ServerResponse>();
  let isDraining = false;

  // Registered before the app's listener, so that the header is set when the head is written.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) return closeAfterResponse(response);
    running.add(response);
    response.once('close', () => running.delete(response));
  });

  return async graceMs => {
    isDraining = true;
    for (const response of running) closeAfterResponse(response);
    if (graceMs > 0) await pause(graceMs);
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    for (const socket of silent()) socket.destroy();
    // A response whose head was written before the drain leaves its connection open.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs);
    await closed;
    clearInterval(idle);
    clearTimeout(cutOff);
  };
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Connections that have not sent a byte: Node does not count them as idle. */
function trackSilentSockets(server: Server): () => Socket[] {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => [...sockets].filter(socket => socket.bytesRead === 0);
}
