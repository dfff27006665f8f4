import type { Log } from '../../observability/log.ts';
import type { LaneWork } from '../work.ts';

/** When a lane looks for jobs. */
export interface LanePolls {
  /** Polls because jobs were added. */
  wake(): void;
  /** Notes that a job has ended. @param isLast whether none runs now */
  noteEnd(isLast: boolean): void;
  /** Starts no polls, and waits for the running one. */
  stop(): Promise<void>;
}

export interface PollPlan {
  readonly afterMs: number;
  /** The poll comes sooner when this many jobs have ended since the last one began. */
  readonly afterEnds: number;
}

/** Finds the jobs whose time has come; new ones wake the lane. */
const pollMs = 2_000;
/** Jobs that are added within this time after a claim are claimed together, also when each has its own transaction. */
const gatherMs = 10;
/** After a claim that may leave due jobs: some may wait behind those of a flag without room, or behind slow ones. */
const backlogPollMs = 100;
const idle: PollPlan = { afterMs: pollMs, afterEnds: Number.POSITIVE_INFINITY };

/** @param claim one poll of the queue, which plans the next one */
export function startLanePolls({ claim, log }: { claim: () => Promise<PollPlan>; log: Log }): LanePolls {
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let plan = idle;
  /** Jobs that have ended since the last poll began. */
  let ended = 0;
  let polledAtMs = Number.NEGATIVE_INFINITY;
  let isWoken = false;
  let isStopping = false;

  function poll(): void {
    if (polling !== undefined || isStopping) return;
    clearTimeout(timer);
    plan = idle;
    ended = 0;
    isWoken = false;
    polling = claim()
      .then(next => {
        plan = next;
      })
      .catch((error: unknown) => log.debug({ error }, 'jobs could not be claimed'))
      .finally(() => {
        polling = undefined;
        polledAtMs = performance.now();
        if (isStopping) return;
        timer = setTimeout(poll, isWoken ? gatherMs : plan.afterMs);
        if (ended >= plan.afterEnds) poll();
      });
  }

  function wake(): void {
    if (isWoken || isStopping) return;
    isWoken = true;
    if (polling !== undefined) return;
    clearTimeout(timer);
    timer = setTimeout(poll, Math.max(0, polledAtMs + gatherMs - performance.now()));
  }

  poll();
  return {
    wake,
    noteEnd: isLast => {
      ended++;
      // Jobs that shared a statement end in the same turn: one poll finds the room of all of them.
      if (ended >= plan.afterEnds || (isLast && plan.afterMs < pollMs)) setImmediate(poll);
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await polling;
    },
  };
}

/** While due jobs may be left, the next poll waits until half of a batch has ended, so that claims do not become small. */
export function planPoll(
  { claimed, limit, isCutShort }: { claimed: number; limit: number; isCutShort: boolean },
  { concurrency, perFlag }: LaneWork,
): PollPlan {
  const isFull = claimed === limit;
  if (!isFull && !isCutShort) return idle;
  // Nothing was free: the next job that ends may make room for its flag.
  const afterEnds = claimed === 0 && limit > 0 ? 1 : Math.ceil((isFull ? concurrency : perFlag) / 2);
  return { afterMs: claimed > 0 ? backlogPollMs : pollMs, afterEnds };
}
