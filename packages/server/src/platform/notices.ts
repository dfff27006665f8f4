import pg from 'pg';
import * as z from 'zod';
import type { Transaction } from './db.ts';
import { sql } from './sql.ts';

/** What one process tells all others about: `{ topic: 'project', key: <id> }` means that a project has changed. */
export interface Notice {
  readonly topic: string;
  readonly key: string;
}

export interface Notices {
  /** True while every notice of the other processes is heard. */
  isHearing(): boolean;
  on(topic: string, listener: (key: string) => void): void;
  /** Called after a gap in which notices may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

const channel = 'tessera';
const firstRetryMs = 100;
const maxRetryMs = 2_000;

/** Tells every process, this one included, once the transaction is committed. */
export async function notify(tx: Transaction, notice: Notice): Promise<void> {
  await tx.query(sql`select pg_notify(${channel}, ${JSON.stringify(notice)})`);
}

const noticeSchema = z.object({ topic: z.string(), key: z.string() });

/** Whoever may use the database may write to the channel: what is not one of ours is passed over. */
function noticeFrom(payload: string): Notice | undefined {
  try {
    return noticeSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    // Not JSON, so not a notice.
    return undefined;
  }
}

/** Listens on a connection of its own and comes back by itself when that is lost. */
export async function openNotices(connection: pg.ClientConfig): Promise<Notices> {
  const listeners = new Map<string, ((key: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connection, keepAlive: true, application_name: 'tessera notices' });
    next.on('notification', message => deliver(message.payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', () => lost(next));
    await next.connect();
    await next.query(`listen ${channel}`);
    client = next;
    for (const listener of gapListeners) listener();
  }

  function deliver(payload: string): void {
    const notice = noticeFrom(payload);
    if (notice === undefined) return;
    for (const listener of listeners.get(notice.topic) ?? []) listener(notice.key);
  }

  function lost(which: pg.Client): void {
    if (client !== which || isClosed) return;
    client = undefined;
    reconnect(firstRetryMs);
  }

  function reconnect(delayMs: number): void {
    retry = setTimeout(() => {
      connect().catch(() => {
        if (!isClosed) reconnect(Math.min(delayMs * 2, maxRetryMs));
      });
    }, delayMs);
    retry.unref();
  }

  await connect();
  return {
    isHearing: () => client !== undefined,
    on: (topic, listener) => listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: listener => gapListeners.push(listener),
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
