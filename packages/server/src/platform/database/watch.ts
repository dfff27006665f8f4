import pg from 'pg';
import { type DatabaseTimings, keepAlive } from './timings.ts';

/** A connection that knows how long its server has left a statement unanswered. */
export class WatchedClient extends pg.Client {
  /** When the statement that runs was sent, on the monotonic clock; undefined while none runs. */
  busySinceMs: number | undefined;
  /** When the server answered last, on the monotonic clock. */
  answeredAtMs = performance.now();
  /** How long a statement may stay unanswered. */
  readonly deadlineMs: number;

  constructor(config: pg.ClientConfig & { readonly deadlineMs: number }) {
    super(config);
    this.deadlineMs = config.deadlineMs;
    // Emitted when every statement that was sent is answered.
    this.on('drain', () => {
      this.busySinceMs = undefined;
      this.answeredAtMs = performance.now();
    });
  }

  /** Every overload of the driver: what is returned is the driver's, and `never` fits each of their types. */
  override query(...statement: unknown[]): never {
    this.busySinceMs = performance.now();
    return (super.query as (...given: unknown[]) => never).apply(this, statement);
  }
}

/** The class that a pool makes its connections of. */
export function watchedClient(deadlineMs: number, { connectMs }: DatabaseTimings): new () => WatchedClient {
  return class extends WatchedClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs, deadlineMs });
    }
  };
}

/**
 * Destroys connections whose server leaves a statement unanswered for too long, and knows whether the server answers
 * at all. One timer for all statements: a timer for each would cost every request.
 */
export interface ConnectionWatch {
  add(client: WatchedClient): void;
  /** True from the moment that a statement was given up until the server answers something again. */
  isSilent(): boolean;
  /** Whether a connection may be as dead as one that was given up: it has not answered since. */
  isSuspect(client: WatchedClient): boolean;
  /** Makes every connection that is open now suspect. */
  suspectAll(): void;
  /** Called at each look with the monotonic time. */
  onSweep(listener: (nowMs: number) => void): void;
  close(): void;
}

/** A server that is read-only refuses every write; its connections are replaced once a second at most. */
const suspectAllEveryMs = 1_000;
const maxLateSweeps = 4;

export function createConnectionWatch(connection: pg.ClientConfig, timings: DatabaseTimings): ConnectionWatch {
  const clients = new Set<WatchedClient>();
  const sweepListeners: ((nowMs: number) => void)[] = [];
  let suspectBeforeMs = Number.NEGATIVE_INFINITY;
  let answeredAtMs = performance.now();
  let sweptAtMs = performance.now();
  let isSilent = false;
  let isClosed = false;

  function sweep(): void {
    const nowMs = performance.now();
    const isLate = nowMs - sweptAtMs > timings.sweepMs * maxLateSweeps;
    sweptAtMs = nowMs;
    // This process was held up, not the server: answers that have arrived are read before the next look.
    if (isLate) return;
    for (const client of clients) {
      const { busySinceMs } = client;
      if (busySinceMs !== undefined && nowMs - busySinceMs > client.deadlineMs) giveUp(client, busySinceMs);
    }
    for (const listener of sweepListeners) listener(nowMs);
  }

  function giveUp(client: WatchedClient, busySinceMs: number): void {
    suspectBeforeMs = Math.max(suspectBeforeMs, busySinceMs);
    if (answeredAtMs < busySinceMs && !isSilent) {
      isSilent = true;
      void probe();
    }
    client.connection.stream.destroy();
  }

  function answered(): void {
    answeredAtMs = performance.now();
    isSilent = false;
  }

  /** Asks on a new connection until there is an answer, so that no request has to wait to find out. */
  async function probe(): Promise<void> {
    while (isSilent && !isClosed) {
      if (await acceptsConnection(connection, timings)) return answered();
      await new Promise(resolve => setTimeout(resolve, timings.probeEveryMs).unref());
    }
  }

  const timer = setInterval(sweep, timings.sweepMs);
  timer.unref();
  return {
    add(client) {
      clients.add(client);
      client.on('drain', answered);
      client.once('end', () => clients.delete(client));
    },
    isSilent: () => isSilent,
    isSuspect: client => client.answeredAtMs < suspectBeforeMs,
    suspectAll() {
      const nowMs = performance.now();
      if (nowMs - suspectBeforeMs > suspectAllEveryMs) suspectBeforeMs = nowMs;
    },
    onSweep: listener => sweepListeners.push(listener),
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

async function acceptsConnection(connection: pg.ClientConfig, { connectMs }: DatabaseTimings): Promise<boolean> {
  const client = new pg.Client({ ...connection, ...keepAlive, connectionTimeoutMillis: connectMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    // Why is told by the requests that were refused meanwhile.
    return false;
  } finally {
    endConnection(client);
  }
}

/** After this, a connection that does not end is destroyed: its server may be gone. */
const endGraceMs = 1_000;

/** Ends a connection, whether or not its server still answers. */
export async function endConnection(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), endGraceMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}
