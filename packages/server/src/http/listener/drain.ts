import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { hasTurn, onTurn } from './turns.ts';

/** Requests that run longer than this are cut off. */
const cutOffMs = 10_000;
const idleCheckMs = 50;
/** A new connection has this time to send its first byte: its request may be on the way. */
const firstByteMs = 2_000;

/** A stop that loses no request. */
export interface Drain {
  /** Makes the stop wait for the work of a request: its client may have gone. */
  watch(work: Promise<unknown>): void;
  /**
   * For `graceMs` the server accepts connections and requests, and each response has `Connection: close`; then it stops
   * accepting, ends idle connections and waits for running requests and for those of new connections.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Prepares a server for its stop. Call it before the server listens.
 * Control 101: a stop drains the running requests.
 */
export function createDrain(server: Server): Drain {
  const connections = trackConnections(server);
  const work = countWork();
  let isDraining = false;

  function begin(response: ServerResponse): void {
    connections.begin(response);
    if (isDraining) closeAfterResponse(response);
  }

  // Registered before the app's listener, so that the header is set when the head is written.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (hasTurn(response)) begin(response);
    else onTurn(response, () => begin(response));
  });

  return {
    watch: work.watch,
    async stop(graceMs) {
      isDraining = true;
      for (const response of connections.running()) closeAfterResponse(response);
      if (graceMs > 0) await pause(graceMs);
      const closed = stopAccepting(server);
      const idle = setInterval(() => {
        for (const socket of connections.idle()) socket.destroy();
      }, idleCheckMs);
      const cutOff = pause(cutOffMs, undefined, { ref: false }).then(() => server.closeAllConnections());
      await closed;
      clearInterval(idle);
      await Promise.race([work.ended(), cutOff]);
    },
  };
}

/** Counts running work: a set of promises would cost each request more. */
function countWork(): { watch(work: Promise<unknown>): void; ended(): Promise<void> } {
  let running = 0;
  let onEnd: (() => void) | undefined;

  function end(): void {
    running--;
    if (running === 0) onEnd?.();
  }

  return {
    watch(work) {
      running++;
      work.then(end, end);
    },
    async ended() {
      if (running > 0) await new Promise<void>(resolve => (onEnd = resolve));
    },
  };
}

/**
 * Ends with the last connection. `close` of an HTTP server also ends all connections that are idle for Node: from
 * Node 26 on these include connections that have just been opened, whose first request is on the way.
 */
async function stopAccepting(server: Server): Promise<void> {
  await new Promise<unknown>(resolve => TcpServer.prototype.close.call(server, resolve));
  // Ends the timer that looks for slow clients.
  server.close();
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

interface Connection {
  readonly openedAt: number;
  running: ServerResponse | undefined;
  /** Bytes received when the last request ended; a connection with more has begun to send the next request. */
  bytesAtEnd: number;
}

interface Connections {
  /** Records the running response of a connection. */
  begin(response: ServerResponse): void;
  running(): ServerResponse[];
  /** Connections without a request. A new connection has `firstByteMs` for its first byte. */
  idle(): Socket[];
}

/**
 * The connections and the running response of each. The map changes its keys once per connection. A set of responses
 * would change with each request: V8 links its replaced tables, so after the first is in the old generation every
 * table keeps its responses alive until a full collection: each scavenge promoted twice the bytes (Node 20, refresh).
 */
function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { openedAt: performance.now(), running: undefined, bytesAtEnd: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  return {
    begin(response) {
      const { socket } = response;
      const connection = socket === null ? undefined : connections.get(socket);
      if (socket === null || connection === undefined) return;
      connection.running = response;
      response.once('close', () => {
        if (connection.running !== response) return;
        connection.running = undefined;
        connection.bytesAtEnd = socket.bytesRead;
      });
    },
    running: () => [...connections.values()].flatMap(({ running }) => running ?? []),
    idle() {
      const latest = performance.now() - firstByteMs;
      const isIdle = (socket: Socket, { openedAt, running, bytesAtEnd }: Connection) =>
        running === undefined && socket.bytesRead === bytesAtEnd && (bytesAtEnd > 0 || openedAt <= latest);
      return [...connections].flatMap(([socket, connection]) => (isIdle(socket, connection) ? socket : []));
    },
  };
}
