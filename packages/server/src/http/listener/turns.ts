import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with more requests that wait for their turn is closed. */
const waitingMax = 100;

/**
 * Serves the pipelined requests of a connection one after the other, and one in a turn of the event loop, so that they do not
 * come before those of other connections. Node reports all of them at once, and keeps the responses of the later ones in
 * memory until the earlier ones are sent.
 * Control 79.
 */
export function inTurn(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > waitingMax) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    onTurn(response, () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      setImmediate(() => serve(request, response));
    });
  }

  return (request, response) => (hasTurn(response) ? serve(request, response) : wait(request, response));
}

/** Whether all earlier requests of the connection have been answered. */
export function hasTurn(response: ServerResponse): boolean {
  return response.socket !== null;
}

/** Calls back when all earlier requests of the connection have been answered, which may be never. */
export function onTurn(response: ServerResponse, callback: () => void): void {
  response.once('socket', callback);
}
