import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../env.ts';
import type { Log } from '../platform/observability/log.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { RunningServer } from '../running-server.ts';
import { type DatabaseConnections, openServerDatabase } from '../server-database.ts';
import { createMetricsGatherer } from './gather-metrics.ts';
import { crashWindowMs, maxCrashes, planRestart } from './restart-rules.ts';
import { startWorkerProcess, stopPatienceMs, type WorkerProcess } from './worker-process.ts';

export interface RunningWorkers extends RunningServer {
  readonly failed: Promise<Error>;
}

export interface WorkersOptions {
  /** Starts a process. Default: one of `node:cluster`. */
  readonly startWorker?: typeof startWorkerProcess;
  /** Ends the start until all workers listen. Default: never. */
  readonly signal?: AbortSignal;
  /** Waits before a crashed worker is replaced. */
  readonly pause?: (delayMs: number) => Promise<unknown>;
}

/** Starts a worker, and resolves when it listens. */
type Spawn = (how: { readonly isFirst: boolean; readonly signal?: AbortSignal | undefined }) => Promise<WorkerProcess>;

/** A place for one worker; a crash or a restart puts another one into it. */
interface Slot {
  worker: WorkerProcess;
  /** Resolves when the latest change has ended. */
  changed: Promise<unknown>;
}

function slotOf(worker: WorkerProcess): Slot {
  return { worker, changed: Promise.resolve() };
}

/**
 * Runs the server in several processes that share one port (`node:cluster`). The first worker migrates and prepares the
 * installation before the others start. A worker that crashes is replaced; a crash loop ends all. SIGUSR2 replaces the
 * workers one by one.
 *
 * @throws when the first worker cannot start; it has reported why
 * @throws the reason of `signal` when it ended the start
 */
export async function startWorkers(
  settings: Settings,
  log: Log,
  { startWorker = startWorkerProcess, pause = delay, signal }: WorkersOptions = {},
): Promise<RunningWorkers> {
  process.on('SIGUSR2', ignoreRestart);
  const { stop: stopDatabase, ...database } = await openServerDatabase(settings, log);
  const slots: Slot[] = [];
  const spawn = createSpawn({ settings, database, slots, startWorker });
  try {
    signal?.throwIfAborted();
    slots.push(slotOf(await spawn({ isFirst: true, signal })));
    signal?.throwIfAborted();
    const others = Array.from({ length: settings.workers - 1 }, async () => {
      slots.push(slotOf(await spawn({ isFirst: false, signal })));
    });
    // When one fails, the others must be in `slots`: they are stopped below.
    await Promise.allSettled(others);
    await Promise.all(others);
  } catch (error) {
    await endAll(slots);
    await stopDatabase();
    process.off('SIGUSR2', ignoreRestart);
    signal?.throwIfAborted();
    throw error;
  }
  const port = slots[0]?.worker.port ?? settings.port;
  // Before the line that says that workers can be replaced.
  const supervision = supervise(slots, { spawn, pause, log });
  log.info({ workers: slots.length, port }, 'all workers are listening');
  return {
    port,
    failed: supervision.failed,
    stop: async () => {
      supervision.end();
      await endAll(slots);
      await stopDatabase();
      process.off('SIGUSR2', ignoreRestart);
    },
  };
}

/**
 * While workers start or stop there is nothing to replace. Without a listener the signal ends the process at once, and leaves
 * workers and the embedded PostgreSQL behind.
 */
function ignoreRestart(): void {}

interface SpawnOptions extends Required<Pick<WorkersOptions, 'startWorker'>> {
  readonly settings: Settings;
  readonly database: DatabaseConnections;
  readonly slots: readonly Slot[];
}

function createSpawn({ settings, database, slots, startWorker }: SpawnOptions): Spawn {
  const metrics = createMetricsGatherer();
  return ({ isFirst, signal }) =>
    startWorker({
      signal,
      run: { type: 'run', settings, database, isFirst },
      async onMessage(message, worker) {
        if (message.type === 'metrics') metrics.receive(message);
        if (message.type !== 'gather-metrics') return;
        const text = await metrics.gather(slots.map(slot => slot.worker));
        worker.send({ type: 'all-metrics', id: message.id, text });
      },
    });
}

interface Supervision {
  /** Resolves when the supervisor gives up. */
  readonly failed: Promise<Error>;
  /** Ends it: workers that end are not replaced any more. */
  end(): void;
}

interface SuperviseOptions extends Required<Pick<WorkersOptions, 'pause'>> {
  readonly spawn: Spawn;
  readonly log: Log;
}

function supervise(slots: readonly Slot[], { spawn, pause, log }: SuperviseOptions): Supervision {
  const crashesAtMs: number[] = [];
  let isOver = false;
  let giveUp: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>(resolve => {
    giveUp = resolve;
  });

  /** Starts a worker for a slot; one that starts after the end of the supervision is stopped. */
  async function fill(slot: Slot, how: { readonly isFirst: boolean }): Promise<void> {
    const worker = await spawn(how);
    if (isOver) return endWorker(worker, { isReplaced: false });
    slot.worker = worker;
    void watch(slot);
  }

  async function replaceCrashed(slot: Slot): Promise<void> {
    while (!isOver) {
      const nowMs = performance.now();
      crashesAtMs.push(nowMs);
      const plan = planRestart(crashesAtMs, nowMs);
      if (plan === 'give up') {
        isOver = true;
        giveUp(new OperatorError(`Workers crashed more than ${maxCrashes} times in ${crashWindowMs / 1_000} seconds.`));
        return;
      }
      await pause(plan.delayMs);
      if (isOver) return;
      try {
        return await fill(slot, { isFirst: false });
      } catch (error) {
        log.error({ error }, 'a worker could not start');
      }
    }
  }

  /** Replaces the worker of a slot when it crashes. */
  async function watch(slot: Slot): Promise<void> {
    const { worker } = slot;
    const reason = await worker.ended;
    await change(slot, async () => {
      // A restart has put another worker into the slot.
      if (isOver || slot.worker !== worker) return;
      log.error({ reason }, 'a worker ended unexpectedly');
      await replaceCrashed(slot);
    });
  }

  /** Replaces the workers in order. The new one listens before the earlier one stops, and the first one migrates. */
  async function restart(): Promise<void> {
    log.info('replacing the workers');
    for (const [index, slot] of slots.entries()) {
      const earlier = await change(slot, async () => {
        const { worker } = slot;
        if (!isOver) await fill(slot, { isFirst: index === 0 });
        return worker;
      });
      if (isOver) return;
      await endWorker(earlier, { isReplaced: true });
    }
    log.info('the workers are replaced');
  }

  const restartOnSignal = () => {
    restarting = restarting
      .then(() => (isOver ? undefined : restart()))
      .catch((error: unknown) => log.error({ error }, 'a new worker could not start; the earlier ones continue'));
  };
  let restarting: Promise<void> = Promise.resolve();
  process.on('SIGUSR2', restartOnSignal);
  for (const slot of slots) void watch(slot);
  return {
    failed,
    end: () => {
      isOver = true;
      process.off('SIGUSR2', restartOnSignal);
    },
  };
}

/** Changes of one slot run one after the other: a crash during a restart must not start a second replacement. */
function change<T>(slot: Slot, work: () => Promise<T>): Promise<T> {
  const changed = slot.changed.then(work);
  // A failure concerns the caller, and not the next change.
  slot.changed = changed.catch(() => undefined);
  return changed;
}

async function endAll(slots: readonly Slot[]): Promise<void> {
  await Promise.all(slots.map(({ worker }) => endWorker(worker, { isReplaced: false })));
}

async function endWorker(worker: WorkerProcess, how: { readonly isReplaced: boolean }): Promise<void> {
  worker.send({ type: 'stop', ...how });
  const force = setTimeout(() => worker.kill(), stopPatienceMs);
  await worker.ended;
  clearTimeout(force);
}
