import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';
import { createFairQueue, type FairQueue } from '../fair-queue.ts';

/** A hashing job, as it is sent to a thread. */
export type HashingWork =
  | { readonly work: 'hash'; readonly password: string; readonly parameters: Options }
  | {
      readonly work: 'match';
      readonly password: string;
      readonly stored: string;
      /** Takes many times as long as a hash of ours: an imported hash. */
      readonly isCostly: boolean;
    };

/** All hashing threads are busy and the queue is full, or the job waited for too long: a 429 with Retry-After. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';
}

export interface PasswordThreads {
  /**
   * @param projectId the jobs of several projects run in turn
   * @throws HashingBusy
   */
  run(work: HashingWork, projectId: string): Promise<string | boolean>;
  /** Rejects the jobs that have not ended. */
  close(): Promise<void>;
}

interface Job {
  readonly work: HashingWork;
  readonly startedAtMs: number;
  /** Called when a thread gets the job. @returns to call at its end */
  readonly begin: () => () => void;
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: unknown) => void;
}

type Answer = { readonly value: string | boolean } | { readonly error: unknown };

/** What a thread of `node:worker_threads` does for us. */
interface HashingWorker extends Pick<Worker, 'ref' | 'unref' | 'terminate'> {
  postMessage(work: HashingWork): void;
  on(event: 'message', listener: (answer: Answer) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

interface Thread {
  readonly worker: HashingWorker;
  job: Job | undefined;
  /** Ends the thread when it has had no job for long. Never set in the first thread. */
  retirement: NodeJS.Timeout | undefined;
  /** Called at the end of the job. */
  end: (() => void) | undefined;
}

/** Memory that a thread needs beside that of a hash, which is allocated outside the heap. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16, stackSizeMb: 1 };

function startHashingWorker(): Worker {
  return new Worker(new URL('./password-worker.cjs', import.meta.url), { resourceLimits });
}

/**
 * A further thread without a job ends after this time, because each takes 6 MB. The first one stays: a start takes longer
 * than a hash.
 */
const idleMs = 5_000;
/** A job that waited longer is refused: its client has probably gone. */
const maxWaitMs = 10_000;
/** What the first job of a project is expected to take. */
const expectedMs = 30;
const costlyExpectedMs = 300;

interface PasswordThreadsOptions {
  readonly count: number;
  /** Jobs that wait at most, ordinary and costly ones each. */
  readonly maxWaiting: number;
  /** Starts a thread. Default: one that hashes. */
  readonly startWorker?: () => HashingWorker;
  /** The monotonic clock. */
  readonly nowMs?: () => number;
}

/**
 * Threads that hash passwords, one job at a time each. They start with the jobs, and all but the first end when they are
 * idle. They run at a lower priority than requests, which is not possible for a thread of Node's own pool. Projects take
 * turns by the time that their jobs take, and a full queue refuses the project with most work in it. Costly jobs wait in a
 * queue of their own and leave one thread to the ordinary ones. So neither many sign-ins of one project nor its imported
 * hashes stop the sign-ins of the others.
 */
export function createPasswordThreads(options: PasswordThreadsOptions): PasswordThreads {
  const { startWorker = startHashingWorker, nowMs = () => performance.now() } = options;
  const threads: Thread[] = [];
  const waiting = createFairQueue<Job>({ maxSize: options.maxWaiting, expectedMs, nowMs });
  const waitingCostly = createFairQueue<Job>({ maxSize: options.maxWaiting, expectedMs: costlyExpectedMs, nowMs });

  function start(): Thread {
    const worker = startWorker();
    const thread: Thread = { worker, job: undefined, retirement: undefined, end: undefined };
    worker.unref();
    worker.on('message', answer => {
      finish(thread, answer);
      next(thread);
    });
    worker.on('error', error => {
      remove(threads, thread);
      finish(thread, { error });
      if (waiting.size() + waitingCostly.size() > 0) next(start());
    });
    threads.push(thread);
    return thread;
  }

  function finish(thread: Thread, answer: Answer): void {
    const { job } = thread;
    thread.job = undefined;
    thread.end?.();
    thread.end = undefined;
    thread.worker.unref();
    if ('error' in answer) job?.reject(answer.error);
    else job?.resolve(answer.value);
  }

  function next(thread: Thread): void {
    const job = shiftFresh(waiting) ?? (mayRunCostly() ? shiftFresh(waitingCostly) : undefined);
    if (job !== undefined) give(thread, job);
    else if (thread !== threads[0]) retireLater(threads, thread);
  }

  function shiftFresh(queue: FairQueue<Job>): Job | undefined {
    for (;;) {
      const job = queue.shift();
      if (job === undefined || nowMs() - job.startedAtMs <= maxWaitMs) return job;
      job.reject(new HashingBusy('the password was not checked in time'));
    }
  }

  function mayRunCostly(): boolean {
    const running = threads.filter(({ job }) => job !== undefined && isCostly(job.work)).length;
    return running < Math.max(1, options.count - 1);
  }

  function findIdle(): Thread | undefined {
    return threads.find(({ job }) => job === undefined) ?? (threads.length < options.count ? start() : undefined);
  }

  function give(thread: Thread, job: Job): void {
    clearTimeout(thread.retirement);
    thread.job = job;
    thread.end = job.begin();
    // A pending hash keeps the process alive until it is done.
    thread.worker.ref();
    thread.worker.postMessage(job.work);
  }

  return {
    run: (work, projectId) =>
      new Promise((resolve, reject) => {
        const queue = isCostly(work) ? waitingCostly : waiting;
        const job = { work, startedAtMs: nowMs(), begin: () => queue.begin(projectId), resolve, reject };
        const idle = isCostly(work) && !mayRunCostly() ? undefined : findIdle();
        if (idle !== undefined) give(idle, job);
        else queue.push(projectId, job)?.reject(new HashingBusy('too many passwords are being checked'));
      }),
    close: async () => {
      const closed = threads.splice(0);
      const shiftAny = () => waiting.shift() ?? waitingCostly.shift();
      const error = new Error('the threads that hash passwords were closed');
      for (let job = shiftAny(); job !== undefined; job = shiftAny()) job.reject(error);
      await Promise.all(closed.map(({ worker }) => worker.terminate()));
      for (const thread of closed) finish(thread, { error });
    },
  };
}

function retireLater(threads: Thread[], thread: Thread): void {
  thread.retirement = setTimeout(() => {
    remove(threads, thread);
    void thread.worker.terminate();
  }, idleMs);
  thread.retirement.unref();
}

function remove(threads: Thread[], thread: Thread): void {
  const index = threads.indexOf(thread);
  if (index !== -1) threads.splice(index, 1);
}

function isCostly(work: HashingWork): boolean {
  return work.work === 'match' && work.isCostly;
}
