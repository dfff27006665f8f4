import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createPasswordThreads, HashingBusy, type HashingWork } from './password-threads.ts';

/** A thread that answers when the test says so. */
class FakeWorker extends EventEmitter {
  ref(): void {}
  unref(): void {}
  postMessage(): void {}
  async terminate(): Promise<number> {
    return 0;
  }
}

function openThreads(maxWaiting: number, count = 1) {
  const workers: FakeWorker[] = [];
  const startWorker = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  return { workers, threads: createPasswordThreads({ count, maxWaiting, startWorker }) };
}

const work: HashingWork = { work: 'match', password: 'a', stored: 'b', isCostly: false };
const costly: HashingWork = { ...work, isCostly: true };

test('when a hashing thread dies, its job fails and the waiting ones go on in another thread', async () => {
  const { workers, threads } = openThreads(2);
  const jobs = [1, 2, 3].map(() => threads.run(work));
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
  const run = (name: string, one: HashingWork) => threads.run(one).then(() => order.push(name));
  const first = [run('costly 1', costly), run('costly 2', costly), run('costly 3', costly)];
  await expect(threads.run(costly)).rejects.toThrow(HashingBusy);
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

test('close rejects running and waiting hashing jobs', async () => {
  const { threads } = openThreads(1);
  const jobs = [1, 2].map(() => expect(threads.run(work)).rejects.toThrow('were closed'));
  await threads.close();
  await Promise.all(jobs);
});
