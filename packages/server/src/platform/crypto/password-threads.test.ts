import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createPasswordThreads, type HashingWork } from './password-threads.ts';

/** A thread that answers when the test says so. */
class FakeWorker extends EventEmitter {
  ref(): void {}
  unref(): void {}
  postMessage(): void {}
  async terminate(): Promise<number> {
    return 0;
  }
}

function openThreads(maxWaiting: number) {
  const workers: FakeWorker[] = [];
  const startWorker = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  return { workers, threads: createPasswordThreads({ count: 1, maxWaiting, startWorker }) };
}

const work: HashingWork = { work: 'match', password: 'a', stored: 'b' };

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

test('close rejects running and waiting hashing jobs', async () => {
  const { threads } = openThreads(1);
  const jobs = [1, 2].map(() => expect(threads.run(work)).rejects.toThrow('were closed'));
  await threads.close();
  await Promise.all(jobs);
});
