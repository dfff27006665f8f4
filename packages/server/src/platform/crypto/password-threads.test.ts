import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPasswordThreads, HashingBusy, type HashingWork } from './password-threads.ts';

/** A thread that answers when the test says so. */
class FakeWorker extends EventEmitter {
  ref(): void {}
  unref(): void {}
  postMessage(): void {}
  isTerminated = false;
  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 0;
  }
}

function openThreads(maxWaiting: number, count = 1, nowMs = () => 0) {
  const workers: FakeWorker[] = [];
  const startWorker = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  return { workers, threads: createPasswordThreads({ count, maxWaiting, startWorker, nowMs }) };
}

const work: HashingWork = { work: 'match', password: 'a', stored: 'b', isCostly: false };
const costly: HashingWork = { ...work, isCostly: true };

test('when a hashing thread ends, its job fails and the waiting jobs run in another thread', async () => {
  const { workers, threads } = openThreads(2);
  const jobs = [1, 2, 3].map(() => threads.run(work, 'shop'));
  const settled = Promise.allSettled(jobs);
  workers[0]?.emit('error', new Error('out of memory'));
  workers[1]?.emit('message', { value: true });
  workers[1]?.emit('message', { value: false });
  expect(await settled).toEqual([
    { status: 'rejected', reason: new Error('out of memory') },
    { status: 'fulfilled', value: true },
    { status: 'fulfilled', value: false },
  ]);
  expect(workers).toHaveLength(2);
});

test('costly comparisons leave one thread and the queue to the ordinary ones', async () => {
  const { workers, threads } = openThreads(2, 2);
  const order: string[] = [];
  const run = (name: string, one: HashingWork) => threads.run(one, 'shop').then(() => order.push(name));
  const first = [run('costly 1', costly), run('costly 2', costly), run('costly 3', costly)];
  await expect(threads.run(costly, 'shop')).rejects.toThrow(HashingBusy);
  // The second thread is started by an ordinary job, although costly ones wait.
  const second = [run('ordinary 1', work), run('ordinary 2', work)];
  expect(workers).toHaveLength(2);
  const [slow, fast] = workers;
  fast?.emit('message', { value: true });
  fast?.emit('message', { value: true });
  await Promise.all(second);
  for (let ended = 0; ended < 3; ended++) slow?.emit('message', { value: true });
  await Promise.all(first);
  expect(order).toEqual(['ordinary 1', 'ordinary 2', 'costly 1', 'costly 2', 'costly 3']);
});

test('a further thread without work for five seconds ends, the first one stays, and a later job starts another', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { workers, threads } = openThreads(2, 2);
  const runBoth = () => Promise.all([threads.run(work, 'shop'), threads.run(work, 'shop')]);
  const endBoth = () =>
    workers.filter(({ isTerminated }) => !isTerminated).map(one => one.emit('message', { value: true }));

  const first = runBoth();
  endBoth();
  await first;
  vi.advanceTimersByTime(4_999);
  const second = runBoth();
  vi.advanceTimersByTime(60_000);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false, false]);
  endBoth();
  await second;
  vi.advanceTimersByTime(5_000);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);

  const third = runBoth();
  endBoth();
  await third;
  expect(workers).toHaveLength(3);
});

test('projects take turns', async () => {
  let nowMs = 0;
  const { workers, threads } = openThreads(10, 1, () => nowMs);
  const order: string[] = [];
  const jobs = ['shop', 'shop', 'shop', 'blog'].map(project =>
    threads.run(work, project).then(() => order.push(project)),
  );
  for (let ended = 0; ended < 4; ended++) {
    nowMs += 30;
    workers[0]?.emit('message', { value: true });
  }
  await Promise.all(jobs);
  expect(order).toEqual(['shop', 'blog', 'shop', 'shop']);
});

test('costly comparisons of many projects do not delay the cheaper ones of another project', async () => {
  let nowMs = 0;
  const { workers, threads } = openThreads(30, 1, () => nowMs);
  const order: string[] = [];
  const run = (project: string) => threads.run(costly, project).then(() => order.push(project));
  async function endOne(tookMs: number): Promise<void> {
    nowMs += tookMs;
    workers[0]?.emit('message', { value: true });
    await new Promise(setImmediate);
  }
  const many = Array.from({ length: 5 }, (_, index) => `many ${index}`);
  const first = ['shop', ...many].map(run);
  await endOne(200);
  for (const _ of many) await endOne(1_500);
  await Promise.all(first);
  const second = [...many, 'shop'].map(run);
  for (const tookMs of [1_500, 200, 1_500, 1_500, 1_500, 1_500]) await endOne(tookMs);
  await Promise.all(second);
  expect(order.slice(6, 8)).toEqual(['many 0', 'shop']);
});

test('a job that has waited for more than ten seconds is refused, and the next one runs', async () => {
  let nowMs = 0;
  const { workers, threads } = openThreads(10, 1, () => nowMs);
  const running = threads.run(work, 'shop');
  const late = expect(threads.run(work, 'shop')).rejects.toThrow(HashingBusy);
  nowMs = 1;
  const inTime = threads.run(work, 'shop');
  nowMs = 10_001;
  for (const value of [true, false]) workers[0]?.emit('message', { value });
  await late;
  expect(await Promise.all([running, inTime])).toEqual([true, false]);
});

test('close rejects running and waiting hashing jobs', async () => {
  const { threads } = openThreads(1);
  const jobs = [1, 2].map(() => expect(threads.run(work, 'shop')).rejects.toThrow('were closed'));
  await threads.close();
  await Promise.all(jobs);
});
