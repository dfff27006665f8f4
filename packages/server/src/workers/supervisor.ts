import { setTimeout as pause } from 'node:timers/promises';
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
}

/** Starts a worker, and resolves when it listens. */
type Spawn = (how: { readonly isFirst: boolean }) => Promise<WorkerProcess>;

/** A place for one worker; a crash or a restart puts another one into it. */
interface Slot {
  worker: WorkerProcess;
}

/**
 * Runs the server in several processes that share one port (`node:cluster`). The first worker migrates and prepares the
 * installation before the others start. A worker that crashes is replaced; a crash loop ends all. SIGUSR2 replaces the
 * workers one by one.
 *
 * @throws when the first worker cannot start; it has reported why
 */
export async function startWorkers(
  settings: Settings,
  log: Log,
  { startWorker = startWorkerProcess }: WorkersOptions = {},
): Promise<RunningWorkers> {
  const { stop: stopDatabase, ...database } = await openServerDatabase(settings, log);
  const slots: Slot[] = [];
  const spawn = createSpawn({ settings, database, slots, startWorker });
  try {
    slots.push({ worker: await spawn({ isFirst: true }) });
    const others = Array.from({ length: settings.workers - 1 }, () => spawn({ isFirst: false }));
    slots.push(...(await Promise.all(others)).map(worker => ({ worker })));
  } catch (error) {
    await endAll(slots);
    await stopDatabase();
    throw error;
  }
  const port = slots[0]?.worker.port ?? settings.port;
  log.info({ workers: slots.length, port }, 'all workers are listening');
  const supervision = supervise(slots, { spawn, log });
  return {
    port,
    failed: supervision.failed,
    stop: async () => {
      supervision.end();
      await endAll(slots);
      await stopDatabase();
    },
  };
}

interface SpawnOptions extends Required<WorkersOptions> {
  readonly settings: Settings;
  readonly database: DatabaseConnections;
  readonly slots: readonly Slot[];
}

function createSpawn({ settings, database, slots, startWorker }: SpawnOptions): Spawn {
  const metrics = createMetricsGatherer();
  return ({ isFirst }) =>
    startWorker({
      job: { type: 'run', settings, database, isFirst },
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

function supervise(slots: readonly Slot[], { spawn, log }: { spawn: Spawn; log: Log }): Supervision {
  const crashesAtMs: number[] = [];
  let isOver = false;
  let giveUp: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>(resolve => {
    giveUp = resolve;
  });

  /** Puts a new worker into a slot; undefined when supervision is over. */
  async function replaceCrashed(slot: Slot): Promise<WorkerProcess | undefined> {
    for (;;) {
      const nowMs = performance.now();
      crashesAtMs.push(nowMs);
      const plan = planRestart(crashesAtMs, nowMs);
      if (plan === 'give up') {
        giveUp(new OperatorError(`Workers crashed more than ${maxCrashes} times in ${crashWindowMs / 1_000} seconds.`));
        return undefined;
      }
      await pause(plan.delayMs);
      if (isOver) return undefined;
      try {
        slot.worker = await spawn({ isFirst: false });
        return slot.worker;
      } catch (error) {
        log.error({ error }, 'a worker could not start');
      }
    }
  }

  async function keepRunning(slot: Slot): Promise<void> {
    for (;;) {
      const { worker } = slot;
      const reason = await worker.ended;
      if (isOver) return;
      // A restart has put another worker into the slot.
      if (slot.worker !== worker) continue;
      log.error({ reason }, 'a worker ended unexpectedly');
      const replacement = await replaceCrashed(slot);
      if (replacement === undefined) return;
      if (isOver) return endWorker(replacement, { isReplaced: false });
    }
  }

  const restartOnSignal = () => {
    restarting = restarting
      .then(() => (isOver ? undefined : restart(slots, { spawn, log })))
      .catch((error: unknown) => log.error({ error }, 'a new worker could not start; the earlier ones continue'));
  };
  let restarting: Promise<void> = Promise.resolve();
  process.on('SIGUSR2', restartOnSignal);
  for (const slot of slots) void keepRunning(slot);
  return {
    failed,
    end: () => {
      isOver = true;
      process.off('SIGUSR2', restartOnSignal);
    },
  };
}

/** Replaces the workers in order. The new one listens before the earlier one stops, and the first one migrates. */
async function restart(slots: readonly Slot[], { spawn, log }: { spawn: Spawn; log: Log }): Promise<void> {
  log.info('replacing the workers');
  for (const [index, slot] of slots.entries()) {
    const earlier = slot.worker;
    slot.worker = await spawn({ isFirst: index === 0 });
    await endWorker(earlier, { isReplaced: true });
  }
  log.info('the workers are replaced');
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
