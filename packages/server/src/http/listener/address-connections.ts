import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../platform/observability/log.ts';
import { addressBlock } from '../access/source.ts';

const warningIntervalMs = 60_000;

/**
 * Closes new connections of an address that has `max` already, so that one client does not take all connections of the
 * process: each needs one small request in `keepAliveMs`. Call it only where no proxy is in front of the server.
 * Control 80.
 */
export function limitConnectionsOfAddress(server: Server, max: number, log: Log): void {
  const connections = countByAddress(max);
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
    const leave = connections.enter(remoteAddress);
    if (leave === undefined) {
      socket.destroy();
      warn();
    } else {
      socket.once('close', leave);
    }
  });
}

/** Counts what each address has open. An IPv4 address counts alone, an IPv6 address with its /64. */
export function countByAddress(max: number): {
  /** Counts one more. @returns the end of its count; undefined when the address has `max` */
  enter(address: string): (() => void) | undefined;
} {
  const counts = new Map<string, number>();
  return {
    enter(address) {
      const block = addressBlock(address) ?? address;
      const count = counts.get(block) ?? 0;
      if (count >= max) return undefined;
      counts.set(block, count + 1);
      return () => {
        const left = (counts.get(block) ?? 1) - 1;
        if (left === 0) counts.delete(block);
        else counts.set(block, left);
      };
    },
  };
}
