import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { sql } from '../database/sql.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import type { LimitUse } from './uses.ts';

const mails = (who: string, points = 5): LimitUse => ({
  limit: 'mailsPerRecipient',
  key: `mailsPerRecipient:p:${who}`,
  points,
});

/** The result of an attempt: the time to wait, or `good`. */
const came = (work: Promise<unknown>) =>
  work.then(
    () => 'good',
    (error: { retryAfterSeconds?: number }) => error.retryAfterSeconds ?? String(error),
  );

let server: TestServer;
let limits: RateLimits;
let elsewhere: RateLimits;
beforeEach(async () => {
  server = await openTestServer();
  limits = createRateLimits(server.deps);
  elsewhere = createRateLimits(server.deps);
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

async function spendAll(use: LimitUse): Promise<void> {
  for (let spent = 0; spent < use.points; spent++) await limits.spend([use]);
}

describe('control 70: a rate limit', () => {
  test('allows its number of attempts, and then returns the time to wait', async () => {
    await spendAll(mails('ada'));
    expect(await came(limits.spend([mails('ada')]))).toBe(3600);
    expect(await came(limits.spend([mails('bob')]))).toBe('good');
  });

  test('allows attempts again when the window of the first one ends', async () => {
    await limits.spend([mails('ada')]);
    vi.setSystemTime(Date.now() + 3_599_000);
    for (let spent = 1; spent < 5; spent++) await limits.spend([mails('ada')]);
    expect(await came(limits.spend([mails('ada')]))).toBe(1);
    vi.setSystemTime(Date.now() + 1_001);
    expect(await came(limits.spend([mails('ada')]))).toBe('good');
  });

  test('is shared by all processes', async () => {
    await spendAll(mails('ada'));
    expect(await came(elsewhere.spend([mails('ada')]))).toBe(3600);
    expect(await came(elsewhere.assertLeft([mails('ada')]))).toBe(3600);
  });

  test('counts every attempt of a burst', async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => came((index % 2 === 0 ? limits : elsewhere).spend([mails('ada')]))),
    );
    expect(all.filter(one => one === 'good')).toHaveLength(5);
  });

  test('sends no query once it is reached', async () => {
    await spendAll(mails('ada'));
    const asked = vi.spyOn(server.deps.db.asyncCommit, 'query');
    expect(await came(limits.spend([mails('ada')]))).toBe(3600);
    expect(() => limits.assertNotRemembered([mails('ada')])).toThrow('a limit is reached');
    expect(asked).not.toHaveBeenCalled();
  });

  test('that refuses an attempt leaves the wider counters unchanged', async () => {
    const wide: LimitUse = { limit: 'mailsPerProject', key: 'mailsPerProject:p:all', points: 6 };
    for (let spent = 0; spent < 5; spent++) await limits.spend([mails('ada'), wide]);
    expect(await came(limits.spend([mails('ada'), wide]))).toBe(3600);
    expect(await came(limits.spend([mails('bob'), wide]))).toBe('good');
    expect(await came(limits.spend([mails('bob'), wide]))).toBe(3600);
  });

  test('that refuses an attempt leaves no row for the narrower counters', async () => {
    const wide: LimitUse = { limit: 'mailsPerAddress', key: 'mailsPerAddress:p:block', points: 2 };
    for (const recipient of ['ada', 'bob']) await limits.spend([mails(recipient), wide]);
    expect(await came(limits.spend([mails('eve'), wide]))).toBe(3600);
    for (const recipient of ['cat', 'dan']) expect(await came(limits.spend([mails(recipient), wide]))).toBe(3600);
    const rows = await server.deps.db.query(sql`
      select key from rate_limits where key = any(${['cat', 'dan'].map(recipient => mails(recipient).key)})
    `);
    expect(rows).toEqual([]);
  });

  test('applies a changed maximum from the next attempt on', async () => {
    await limits.spend([mails('ada', 2)]);
    await limits.spend([mails('ada', 2)]);
    expect(await came(limits.spend([mails('ada', 2)]))).toBe(3600);
    expect(await came(limits.spend([mails('ada', 4)]))).toBe('good');
  });

  test('counts without refusing when the attempt has already happened', async () => {
    await spendAll(mails('ada'));
    expect(await came(limits.count([mails('ada'), mails('bob')]))).toBe('good');
    expect(await came(limits.spend([mails('ada')]))).toBe(3600);
  });
});

describe('the concurrency limiter', () => {
  test('runs a limited number of operations at a time, and the others in order', async () => {
    const turns = createConcurrencyLimiter({ atOnce: 2, maxWaiting: 10 });
    const steps: string[] = [];
    const enders: (() => void)[] = [];
    const runs = ['a', 'b', 'c'].map(name =>
      turns.take('key', async () => {
        steps.push(`${name} begins`);
        await new Promise<void>(resolve => enders.push(resolve));
        steps.push(`${name} ends`);
      }),
    );
    await vi.waitFor(() => expect(enders).toHaveLength(2), { timeout: 20_000 });
    expect(steps).toEqual(['a begins', 'b begins']);
    enders[0]?.();
    await vi.waitFor(() => expect(enders).toHaveLength(3), { timeout: 20_000 });
    expect(steps).toEqual(['a begins', 'b begins', 'a ends', 'c begins']);
    for (const end of enders) end();
    await Promise.all(runs);
  });

  test('refuses an operation when too many wait', async () => {
    const turns = createConcurrencyLimiter({ atOnce: 1, maxWaiting: 1 });
    let open = () => {};
    const gate = new Promise<void>(resolve => {
      open = resolve;
    });
    const first = turns.take('key', () => gate);
    const second = turns.take('key', async () => 'second');
    expect(await turns.take('key', async () => 'third')).toBeUndefined();
    expect(await turns.take('other', async () => 'elsewhere')).toEqual({ value: 'elsewhere' });
    open();
    await first;
    expect(await second).toEqual({ value: 'second' });
  });

  test('continues after a failed operation', async () => {
    const turns = createConcurrencyLimiter({ atOnce: 1, maxWaiting: 1 });
    await expect(turns.take('key', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await turns.take('key', async () => 'next')).toEqual({ value: 'next' });
  });
});
