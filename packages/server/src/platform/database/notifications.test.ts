import { asAdministrator, createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { createLog } from '../observability/log.ts';
import { type Database, openDatabase, transaction } from './database.ts';
import { type DatabaseNotifications, notify, openDatabaseNotifications } from './notifications.ts';

const log = createLog({ level: 'silent' });
let database: TestDatabase;
let db: Database;
const opened: DatabaseNotifications[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ isEmpty: true });
  db = openDatabase({ connection: database.connection, poolSize: 2 });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(databaseNotifications => databaseNotifications.close()));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The notifications that one process receives on a topic, and a function that waits for a certain key. */
async function listen(topic: string) {
  const databaseNotifications = await openDatabaseNotifications({ connection: database.connection, log });
  opened.push(databaseNotifications);
  const received: string[] = [];
  const waiting = new Map<string, () => void>();
  databaseNotifications.on(topic, key => {
    received.push(key);
    waiting.get(key)?.();
  });
  const until = (key: string) =>
    new Promise<void>(resolve => {
      if (received.includes(key)) resolve();
      waiting.set(key, resolve);
    });
  return { databaseNotifications, received, until };
}

function commitNotification(topic: string, key: string): Promise<void> {
  return transaction(db, tx => notify(tx, { topic, key }));
}

test('a notification reaches every process, and only listeners of its topic', async () => {
  const [one, other, stranger] = await Promise.all([listen('project'), listen('project'), listen('user')]);
  await commitNotification('project', 'p1');
  await commitNotification('user', 'u1');
  await Promise.all([one.until('p1'), other.until('p1'), stranger.until('u1')]);
  expect([one.received, other.received, stranger.received]).toEqual([['p1'], ['p1'], ['u1']]);
});

test('a notification of a transaction that is rolled back is never delivered', async () => {
  const { received, until } = await listen('project');
  const refused = transaction(db, async tx => {
    await notify(tx, { topic: 'project', key: 'never' });
    throw new Error('refused');
  });
  await refused.catch(() => undefined);
  await commitNotification('project', 'after');
  await until('after');
  expect(received).toEqual(['after']);
});

test('several listeners of one process all receive a notification', async () => {
  const { databaseNotifications, until } = await listen('project');
  const second: string[] = [];
  databaseNotifications.on('project', key => second.push(key));
  await commitNotification('project', 'p1');
  await until('p1');
  expect(second).toEqual(['p1']);
});

test('a payload that is not one of our notifications is ignored', async () => {
  const { received, until } = await listen('project');
  await onConnection(client =>
    client.query(`notify tessera, 'not JSON'; notify tessera, ''; notify tessera, '[null]'`),
  );
  await commitNotification('project', 'p1');
  await until('p1');
  expect(received).toEqual(['p1']);
});

test('control 102: a lost listener reports the loss, reconnects by itself, and reports the gap', async () => {
  const { databaseNotifications, until } = await listen('project');
  const isBack = new Promise<void>(resolve => databaseNotifications.onGap(resolve));
  await whileClosed(async () => {
    await vi.waitFor(() => expect(databaseNotifications.isReceiving()).toBe(false), { timeout: 20_000 });
  });
  await isBack;
  expect(databaseNotifications.isReceiving()).toBe(true);
  await commitNotification('project', 'later');
  await until('later');
});

test('a listener that is closed while its connection is lost does not reconnect', async () => {
  const { databaseNotifications } = await listen('project');
  await whileClosed(async () => {
    await vi.waitFor(() => expect(databaseNotifications.isReceiving()).toBe(false), { timeout: 20_000 });
    await databaseNotifications.close();
  });
  expect(databaseNotifications.isReceiving()).toBe(false);
});

/** Terminates every connection to the database, and refuses new ones until the work is done. */
async function whileClosed(work: () => Promise<void>): Promise<void> {
  const name = database.connection.database;
  await asAdministrator(inject('postgres'), async client => {
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
    await work();
    await client.query(`alter database ${name} allow_connections true`);
  });
}

async function onConnection(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  await work(client);
  await client.end();
}
