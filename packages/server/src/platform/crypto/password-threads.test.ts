import type { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { createPasswordThreads, type HashingWork } from './password-threads.ts';

const workers = vi.hoisted((): EventEmitter[] => []);
vi.mock('node:worker_threads', async () => {
  const { EventEmitter } = await import('node:events');
  class Worker extends EventEmitter {
    readonly terminate = async () => 0;

    constructor() {
      super();
      workers.push(this);
    }

    ref() {}
    unref() {}
    postMessage() {}
  }
  return { Worker };
});

beforeEach(() => {
  workers.length = 0;
});

const work: HashingWork = { work: 'match', password: 'a', stored: 'b' };

test('when a hashing thread dies, its job fails and the waiting ones go on in another thread', async () => {
  const threads = createPasswordThreads({ count: 1, maxWaiting: 2 });
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
  const threads = createPasswordThreads({ count: 1, maxWaiting: 1 });
  const jobs = [1, 2].map(() => expect(threads.run(work)).rejects.toThrow('were closed'));
  await threads.close();
  await Promise.all(jobs);
});
