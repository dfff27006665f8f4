import { setImmediate as pauseForCallbacks } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readSettings } from '../env.ts';
import { createLog } from '../platform/observability/log.ts';
import { maxCrashes } from './restart-rules.ts';
import { startWorkers } from './supervisor.ts';
import type { WorkerProcess, WorkerProcessOptions } from './worker-process.ts';

/** A worker without a process. It ends when it is told to stop, and crashes when the test says so. */
interface FakeWorker extends WorkerProcess {
  readonly run: WorkerProcessOptions['run'];
  crash(): void;
  isRunning(): boolean;
}

function createFakeWorker({ run }: WorkerProcessOptions): FakeWorker {
  let isRunning = true;
  let end: (reason: string) => void = () => undefined;
  const ended = new Promise<string>(resolve => {
    end = reason => {
      isRunning = false;
      resolve(reason);
    };
  });
  return {
    run,
    port: 4280,
    ended,
    send: ({ type }) => {
      if (type === 'stop') end('code 0');
    },
    kill: () => end('signal SIGKILL'),
    crash: () => end('code 1'),
    isRunning: () => isRunning,
  };
}

const log = createLog({ level: 'silent' });
const settings = readSettings({
  TESSERA_MODE: 'development',
  TESSERA_WORKERS: '2',
  DATABASE_URL: 'postgresql://pooler/tessera',
  TESSERA_DATABASE_DIRECT_URL: 'postgresql://primary/tessera',
  DATABASE_READ_URL: 'postgresql://replica/tessera',
});

/** A supervisor whose workers start when the test says so. */
function createFakes() {
  const workers: FakeWorker[] = [];
  let gate = Promise.resolve();
  return {
    workers,
    options: {
      pause: async () => undefined,
      startWorker: async (options: WorkerProcessOptions) => {
        const worker = createFakeWorker(options);
        workers.push(worker);
        await gate;
        return worker;
      },
    },
    /** Holds every later start. @returns ends the hold */
    holdStarts() {
      let release: () => void = () => undefined;
      gate = new Promise(resolve => {
        release = resolve;
      });
      return release;
    },
  };
}

test('each worker gets the addresses of the database, of PostgreSQL behind its pooler, and of the read replica', async () => {
  const { workers, options } = createFakes();
  const server = await startWorkers(settings, log, options);
  await server.stop();

  const database = {
    isEmbedded: false,
    connection: { connectionString: 'postgresql://pooler/tessera' },
    directConnection: { connectionString: 'postgresql://primary/tessera' },
    replica: { connectionString: 'postgresql://replica/tessera' },
  };
  expect(workers.map(({ run }) => run)).toEqual([
    { type: 'run', settings, database, isFirst: true },
    { type: 'run', settings, database, isFirst: false },
  ]);
});

test('when a further worker cannot start, the start fails and stops every other one, also one that starts later', async () => {
  const { workers, options, holdStarts } = createFakes();
  let release: () => void = () => undefined;
  const startWorker = async (given: WorkerProcessOptions) => {
    if (workers.length === 2) throw new Error('a worker ended before it listened');
    if (workers.length === 1) release = holdStarts();
    return options.startWorker(given);
  };
  const failed = startWorkers({ ...settings, workers: 3 }, log, { ...options, startWorker });
  const refused = expect(failed).rejects.toThrow('a worker ended before it listened');
  await expect.poll(() => workers.length).toBe(2);
  release();
  await refused;
  expect(workers.map(({ isRunning }) => isRunning())).toEqual([false, false]);
});

test('a worker that crashes while a restart starts its replacement is replaced once', async () => {
  const { workers, options, holdStarts } = createFakes();
  const server = await startWorkers(settings, log, options);
  const release = holdStarts();
  process.emit('SIGUSR2');
  await expect.poll(() => workers.length).toBe(3);
  workers[0]?.crash();
  await pauseForCallbacks();
  expect(workers).toHaveLength(3);

  release();
  await expect.poll(() => workers.length).toBe(4);
  await pauseForCallbacks();
  expect(workers).toHaveLength(4);
  await server.stop();
  expect(workers.map(({ isRunning }) => isRunning())).toEqual([false, false, false, false]);
});

test('a worker that crashes again after its replacement is replaced again, and a crash loop ends the server', async () => {
  const { workers, options } = createFakes();
  const server = await startWorkers(settings, log, options);
  for (let crashes = 0; crashes <= maxCrashes; crashes++) {
    workers.at(-1)?.crash();
    await pauseForCallbacks();
  }
  expect(workers).toHaveLength(2 + maxCrashes);
  expect(await server.failed).toMatchObject({ message: expect.stringContaining('crashed') });
  await server.stop();
});

test('a worker that is ready only after the stop began is stopped', async () => {
  const { workers, options, holdStarts } = createFakes();
  const server = await startWorkers(settings, log, options);
  const release = holdStarts();
  process.emit('SIGUSR2');
  await expect.poll(() => workers.length).toBe(3);
  await server.stop();
  release();
  await pauseForCallbacks();
  expect(workers.map(({ isRunning }) => isRunning())).toEqual([false, false, false]);
});

test('SIGUSR2 as soon as the log says that all workers are listening replaces them', async () => {
  const { workers, options } = createFakes();
  const logOfSignaller = Object.assign(Object.create(log), {
    info: (_details: unknown, message?: string) => {
      if (message === 'all workers are listening') process.emit('SIGUSR2');
    },
  });
  const server = await startWorkers(settings, logOfSignaller, options);
  await expect.poll(() => workers.length).toBe(4);
  await server.stop();
});

test('SIGUSR2 during the start and the stop does not end the process', async () => {
  const { workers, options } = createFakes();
  const before = process.listenerCount('SIGUSR2');
  const listeners: number[] = [];
  const note = () => listeners.push(process.listenerCount('SIGUSR2') - before);
  const startWorker = async (given: WorkerProcessOptions) => {
    note();
    return options.startWorker(given);
  };
  const server = await startWorkers(settings, log, { ...options, startWorker });
  const stopped = server.stop();
  note();
  await stopped;
  expect(listeners).toEqual([1, 1, 1]);
  expect(workers).toHaveLength(2);
  expect(process.listenerCount('SIGUSR2')).toBe(before);
});
