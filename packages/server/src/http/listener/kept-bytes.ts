/** Bytes that this process keeps in memory for requests or responses, until a client has sent or taken the rest. */
export interface KeptBytes<Message extends Destroyable> {
  add(message: Message, bytes: number): void;
  /** Call it when the bytes of the message are no longer kept. */
  forget(message: Message): void;
}

interface Destroyable {
  /** Closes the connection. */
  destroy(): unknown;
}

/**
 * Above `maxBytes` of all messages, the connection of the oldest message is closed: a client that sends and reads in time
 * is not the oldest for long. So slow clients neither fill the memory nor stop the others. Control 80.
 */
export function createKeptBytes<Message extends Destroyable>(maxBytes: number): KeptBytes<Message> {
  const kept = new Map<Message, number>();
  let total = 0;

  function forget(message: Message): void {
    total -= kept.get(message) ?? 0;
    kept.delete(message);
  }

  function makeRoom(): void {
    for (const oldest of kept.keys()) {
      if (total <= maxBytes || kept.size === 1) return;
      forget(oldest);
      oldest.destroy();
    }
  }

  return {
    add(message, bytes) {
      kept.set(message, (kept.get(message) ?? 0) + bytes);
      total += bytes;
      makeRoom();
    },
    forget,
  };
}
