import { expect, test } from 'vitest';
import { readSettings } from '../env.ts';
import { createLog } from '../platform/observability/log.ts';
import { startWorkers } from './supervisor.ts';
import type { WorkerProcess, WorkerProcessOptions } from './worker-process.ts';

/** A worker without a process. It ends when it is told to stop, and crashes when the test says so. */
interface FakeWorker extends WorkerProcess {
  readonly job: WorkerProcessOptions['job'];
  crash(): void;
}

function createFakeWorker({ job }: WorkerProcessOptions): FakeWorker {
  let end: (reason: string) => void = () => undefined;
  const ended = new Promise<string>(resolve => {
    end = resolve;
  });
  return {
    job,
    port: 4280,
    ended,
    send: ({ type }) => {
      if (type === 'stop') end('code 0');
    },
    kill: () => end('signal SIGKILL'),
    crash: () => end('code 1'),
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

test('each worker gets the addresses of the database, of PostgreSQL behind its pooler, and of the read replica', async () => {
  const workers: FakeWorker[] = [];
  const startWorker = async (options: WorkerProcessOptions) => {
    const worker = createFakeWorker(options);
    workers.push(worker);
    return worker;
  };
  const server = await startWorkers(settings, log, { startWorker });
  await server.stop();

  const database = {
    connection: { connectionString: 'postgresql://pooler/tessera' },
    directConnection: { connectionString: 'postgresql://primary/tessera' },
    replica: { connectionString: 'postgresql://replica/tessera' },
  };
  expect(workers.map(({ job }) => job)).toEqual([
    { type: 'run', settings, database, isFirst: true },
    { type: 'run', settings, database, isFirst: false },
  ]);
});
