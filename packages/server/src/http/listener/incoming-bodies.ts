import type { IncomingMessage } from 'node:http';

/** The bodies that have begun to arrive, whose parts this process keeps in memory. */
export interface IncomingBodies {
  /** Call it with the bytes of each part that is kept. */
  add(incoming: IncomingMessage, bytes: number): void;
  /** Call it when the parts are no longer kept. */
  forget(incoming: IncomingMessage): void;
}

/**
 * Above `maxBytes` of all bodies, the client whose body began first is disconnected: a body that arrives in time is not the
 * oldest one for long. So clients that hold back the ends of their bodies neither fill the memory nor stop other bodies.
 * Control 80.
 */
export function createIncomingBodies(maxBytes: number): IncomingBodies {
  const kept = new Map<IncomingMessage, number>();
  let total = 0;

  function forget(incoming: IncomingMessage): void {
    total -= kept.get(incoming) ?? 0;
    kept.delete(incoming);
  }

  function makeRoom(): void {
    for (const oldest of kept.keys()) {
      if (total <= maxBytes || kept.size === 1) return;
      forget(oldest);
      oldest.destroy();
    }
  }

  return {
    add(incoming, bytes) {
      kept.set(incoming, (kept.get(incoming) ?? 0) + bytes);
      total += bytes;
      makeRoom();
    },
    forget,
  };
}
