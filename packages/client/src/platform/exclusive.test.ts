import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exclusive } from './exclusive.ts';
import { runUnderLease } from './lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** Counts how many run at the same time. */
function createWork(durationMs: number) {
  const work = { running: 0, most: 0, done: 0 };
  async function run() {
    work.running++;
    work.most = Math.max(work.most, work.running);
    await new Promise(resolve => setTimeout(resolve, durationMs));
    work.running--;
    work.done++;
  }
  return { work, run };
}

test('control 39: where locks are missing a lease in storage lets one tab run at a time', async () => {
  const storage = createStorage();
  const { work, run } = createWork(200);
  const all = Promise.all(Array.from({ length: 5 }, () => runUnderLease('n', run, storage, 10_000)));
  await vi.advanceTimersByTimeAsync(5000);
  await all;
  expect(work).toEqual({ running: 0, most: 1, done: 5 });
  expect(storage.items.size).toBe(0);
});

test('a lease of a tab that was killed ends by itself', async () => {
  const storage = createStorage();
  storage.setItem('n', `another ${Date.now() + 5000}`);
  const { work, run } = createWork(0);
  const ran = runUnderLease('n', run, storage, 10_000);
  await vi.advanceTimersByTimeAsync(4900);
  expect(work.done).toBe(0);
  await vi.advanceTimersByTimeAsync(300);
  await ran;
  expect(work.done).toBe(1);
});

test('a tab that has waited too long goes ahead without the lease', async () => {
  const storage = createStorage();
  storage.setItem('n', `another ${Date.now() + 1_000_000}`);
  const { work, run } = createWork(0);
  const ran = runUnderLease('n', run, storage, 10_000);
  await vi.advanceTimersByTimeAsync(10_100);
  await ran;
  expect(work.done).toBe(1);
  expect(storage.items.get('n')).toContain('another');
});

test('where the storage for a lease is full, the work runs without one', async () => {
  const setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  };
  const run = async () => 'done';
  expect(await runUnderLease('n', run, { ...createStorage(), setItem }, 10_000)).toBe('done');
});

test('with locks the work runs inside one, and its failure is its own', async () => {
  const request = vi.fn(async (_name: string, _options: LockOptions, run: () => Promise<unknown>) => run());
  const locks = { request } as unknown as Pick<LockManager, 'request'>;
  const means = { locks, storage: undefined };
  expect(await exclusive('n', async () => 1, means)).toBe(1);
  const failing = exclusive('n', () => Promise.reject(new Error('own')), means);
  await expect(failing).rejects.toThrow('own');
  expect(request).toHaveBeenCalledTimes(2);
});

test('a lock that is not free in time does not block the work', async () => {
  const request = async () => Promise.reject(new DOMException('too long', 'TimeoutError'));
  const locks = { request } as unknown as Pick<LockManager, 'request'>;
  expect(await exclusive('n', async () => 1, { locks, storage: undefined })).toBe(1);
});

test('without locks and storage the work just runs', async () => {
  expect(await exclusive('n', async () => 1, { locks: undefined, storage: undefined })).toBe(1);
});
