import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../platform/observability/log.ts';
import { addressBlock } from '../access/source.ts';
import { createPlaces, type Places } from '../places.ts';

const warningIntervalMs = 60_000;

/**
 * Closes new connections of an address that has `max` already, so that one client does not take all connections of the
 * process: each needs one small request in `keepAliveMs`. Call it only where no proxy is in front of the server.
 * Control 80.
 */
export function limitConnectionsOfAddress(server: Server, max: number, log: Log): void {
  const places = placesOfAddresses(max);
  let warnedAtMs = Number.NEGATIVE_INFINITY;

  function warn(): void {
    if (performance.now() - warnedAtMs < warningIntervalMs) return;
    warnedAtMs = performance.now();
    log.warn({ max }, 'an address has the most connections that one may have: its further ones are closed');
  }

  // Before the listener of Node's HTTP server, which would read the request.
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // The client has gone already.
    if (remoteAddress === undefined) return;
    const leave = places.take(remoteAddress);
    if (leave === undefined) {
      socket.destroy();
      warn();
    } else {
      socket.once('close', leave);
    }
  });
}

/** Places for connections. An IPv4 address has its own, an IPv6 address shares those of its /64. */
export function placesOfAddresses(max: number): Places {
  const places = createPlaces(max);
  return { take: address => places.take(addressBlock(address) ?? address) };
}
