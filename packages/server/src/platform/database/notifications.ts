import pg from 'pg';
import * as z from 'zod';
import type { Beat } from '../clock.ts';
import type { Log } from '../observability/log.ts';
import { applySettings } from './connections/session-settings.ts';
import { type DatabaseTimings, databaseTimings, keepAlive } from './connections/timings.ts';
import { endConnection } from './connections/watch.ts';
import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

/** A message from one process to all others: `{ topic: 'project', key: <id> }` means that a project has changed. */
export interface DatabaseNotification {
  readonly topic: string;
  readonly key: string;
}

export interface DatabaseNotifications {
  /** True while heartbeats on the connection prove that every notification of the other processes arrives. */
  isReceiving(): boolean;
  on(topic: string, listener: (key: string) => void): void;
  /** Registers a function that is called after a gap in which notifications may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

export interface DatabaseNotificationsOptions {
  readonly connection: pg.ClientConfig;
  readonly log: Log;
  readonly timings?: Partial<DatabaseTimings>;
  /** Called with the database's time after each heartbeat. */
  readonly onBeat?: (beat: Beat) => void;
}

const channel = 'tessera';
const firstRetryMs = 100;
const maxRetryMs = 1_000;

/** Notifies every process, this one included, when the transaction commits. */
export async function notify(tx: Transaction, notification: DatabaseNotification): Promise<void> {
  await tx.query(sql`select pg_notify(${channel}, ${JSON.stringify(notification)})`);
}

const notificationSchema = z.object({ topic: z.string(), key: z.string() });

/** Every user of the database may write to the channel: a payload that is not a notification is ignored. */
function parseNotification(payload: string): DatabaseNotification | undefined {
  try {
    return notificationSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    // The payload is not JSON, so it is not a notification.
    return undefined;
  }
}

/** The functions that other parts of the process register for notifications and gaps. */
function createListeners() {
  const byTopic = new Map<string, ((key: string) => void)[]>();
  const ofGaps: (() => void)[] = [];
  return {
    on: (topic: string, listener: (key: string) => void) =>
      void byTopic.set(topic, [...(byTopic.get(topic) ?? []), listener]),
    onGap: (listener: () => void) => void ofGaps.push(listener),
    deliver(payload: string): void {
      const notification = parseNotification(payload);
      if (notification === undefined) return;
      for (const listener of byTopic.get(notification.topic) ?? []) listener(notification.key);
    },
    reportGap(): void {
      for (const listener of ofGaps) listener();
    },
  };
}

function createClient(connection: pg.ClientConfig, timings: DatabaseTimings): pg.Client {
  return new pg.Client({
    ...connection,
    ...keepAlive,
    connectionTimeoutMillis: timings.connectMs,
    query_timeout: timings.heartbeatAnswerMs,
    application_name: 'tessera notices',
  });
}

/** Asks the database for its time. */
async function measureBeat(on: pg.Client): Promise<Beat> {
  const sentAtMs = performance.now();
  const { rows } = await on.query<{ millis: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as millis',
  );
  return { databaseMillis: rows[0]?.millis ?? 0, sentAtMs, answeredAtMs: performance.now() };
}

/**
 * Listens on a connection of its own. Heartbeats and notifications share the connection and keep their order: the
 * response to a heartbeat proves that no earlier notification is missing. A connection that does not respond is replaced.
 */
export async function openDatabaseNotifications(options: DatabaseNotificationsOptions): Promise<DatabaseNotifications> {
  const { connection, log, onBeat = () => undefined } = options;
  const timings = { ...databaseTimings, ...options.timings };
  const listeners = createListeners();
  let client: pg.Client | undefined;
  /** When the last heartbeat with a response was sent, on the monotonic clock. */
  let provedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = createClient(connection, timings);
    next.on('notification', message => listeners.deliver(message.payload ?? ''));
    next.on('error', () => undefined);
    try {
      await next.connect();
      await applySettings(next);
      await next.query(`listen ${channel}`);
      await beat(next);
    } catch (error) {
      void endConnection(next);
      throw error;
    }
    if (isClosed) return endConnection(next);
    client = next;
    next.on('end', () => handleLoss(next));
    listeners.reportGap();
    scheduleBeat(next);
  }

  async function beat(on: pg.Client): Promise<void> {
    const measured = await measureBeat(on);
    provedAtMs = measured.sentAtMs;
    onBeat(measured);
  }

  function scheduleBeat(on: pg.Client): void {
    timer = setTimeout(() => {
      beat(on).then(
        () => {
          if (client === on) scheduleBeat(on);
        },
        () => handleLoss(on),
      );
    }, timings.heartbeatMs);
    timer.unref();
  }

  function handleLoss(which: pg.Client): void {
    if (client !== which || isClosed) return;
    client = undefined;
    log.warn('the connection for notifications is lost; projects and keys are read from the database until it is back');
    void endConnection(which);
    reconnect(firstRetryMs);
  }

  function reconnect(delayMs: number): void {
    timer = setTimeout(() => {
      connect().then(
        () => log.info('the connection for notifications is back'),
        () => {
          if (!isClosed) reconnect(Math.min(delayMs * 2, maxRetryMs));
        },
      );
    }, delayMs);
    timer.unref();
  }

  await connect();
  return {
    isReceiving: () => client !== undefined && performance.now() - provedAtMs < timings.hearingMs,
    on: listeners.on,
    onGap: listeners.onGap,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      if (last !== undefined) await endConnection(last);
    },
  };
}
