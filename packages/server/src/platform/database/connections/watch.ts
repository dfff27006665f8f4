import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { RowShape } from './prepared-query.ts';
import { installRowParser, type ResultLimit } from './row-parser.ts';
import { type DatabaseTimings, keepAlive } from './timings.ts';

/** A connection that records how long its server has left a statement unanswered. */
export class WatchedClient extends pg.Client {
  /** When the running statement was sent, on the monotonic clock; undefined while none runs. */
  busySinceMs: number | undefined;
  /** When the server responded last, on the monotonic clock. */
  answeredAtMs = performance.now();
  /** The time limit of a statement. */
  readonly deadlineMs: number;
  readonly rowShapes = new Map<string, RowShape>();
  /** The limit of the running statement. */
  readonly result: ResultLimit;

  constructor(config: pg.ClientConfig & { readonly deadlineMs: number }) {
    super(config);
    this.result = installRowParser(this.connection);
    this.deadlineMs = config.deadlineMs;
    // Emitted when the server has responded to every statement.
    this.on('drain', () => {
      this.busySinceMs = undefined;
      this.answeredAtMs = performance.now();
    });
  }

  /** Every overload of the driver: the return value is the driver's, and `never` fits each of their types. */
  override query(...statement: unknown[]): never {
    this.busySinceMs = performance.now();
    return (super.query as (...given: unknown[]) => never).apply(this, statement);
  }
}

/** The class from which a pool creates its connections. */
export function watchedClient(deadlineMs: number, { connectMs }: DatabaseTimings): new () => WatchedClient {
  return class extends WatchedClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs, deadlineMs });
    }
  };
}

/**
 * Destroys connections with an overdue statement, and records whether the server responds at all. One timer serves all
 * statements: a timer per statement would slow down each request.
 */
export interface ConnectionWatch {
  add(client: WatchedClient): void;
  /** True from the first overdue statement until the server responds again. */
  isSilent(): boolean;
  /** Whether a connection may be dead: it has sent nothing since another one was given up. */
  isSuspect(client: WatchedClient): boolean;
  /** Marks every open connection as suspect. */
  suspectAll(): void;
  /** Registers a function that is called at each check with the monotonic time. */
  onSweep(listener: (nowMs: number) => void): void;
  close(): void;
}

/** A read-only server refuses every write; its connections are replaced at most once a second. */
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
    // This process was suspended, not the server: responses that have arrived are read before the next check.
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
    client.connection.stream.destroy(noResponse(client));
  }

  function onAnswer(): void {
    answeredAtMs = performance.now();
    isSilent = false;
  }

  /** Opens test connections until the server responds, so that no request has to. */
  async function probe(): Promise<void> {
    while (isSilent && !isClosed) {
      if (await acceptsConnection(connection, timings)) return onAnswer();
      await pause(timings.probeEveryMs, undefined, { ref: false });
    }
  }

  const timer = setInterval(sweep, timings.sweepMs);
  timer.unref();
  return {
    add(client) {
      clients.add(client);
      client.on('drain', onAnswer);
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

/** The cause in the log. Without it the driver reports a connection that the server has closed. */
function noResponse({ deadlineMs }: WatchedClient): Error {
  return Object.assign(new Error(`PostgreSQL did not respond within ${deadlineMs / 1_000} s`), { code: 'ETIMEDOUT' });
}

async function acceptsConnection(connection: pg.ClientConfig, { connectMs }: DatabaseTimings): Promise<boolean> {
  const client = new pg.Client({ ...connection, ...keepAlive, connectionTimeoutMillis: connectMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    // The refused requests have reported the cause.
    return false;
  } finally {
    endConnection(client);
  }
}

/** A connection that does not close in this time is destroyed: its server may be gone. */
const endGraceMs = 1_000;

/** Closes a connection, whether or not its server responds. */
export async function endConnection(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), endGraceMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}
