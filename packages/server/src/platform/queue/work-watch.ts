import type { WorkerEvents } from 'graphile-worker';

export interface WorkWatch {
  /** Records a completed poll of a worker that watches no events; with false it is ignored until its next poll. */
  note(worker: string, pollsAgain: boolean): void;
  /** Whether a worker without a running job has completed no poll of the queue for too long. */
  isStalled(nowMs: number): boolean;
}

/** Observes completed polls, because a connection may be open while no data passes through it. */
export function watchWork(events: WorkerEvents, stalledMs: number): WorkWatch {
  /** When each worker without a running job last completed a poll or a job. */
  const idleSinceMs = new Map<string, number>();
  const noteEvent = ({ worker }: { worker: { workerId: string } }) => {
    idleSinceMs.set(worker.workerId, performance.now());
  };
  const forget = ({ worker }: { worker: { workerId: string } }) => {
    idleSinceMs.delete(worker.workerId);
  };
  events.on('worker:create', noteEvent);
  events.on('worker:getJob:empty', noteEvent);
  events.on('job:complete', noteEvent);
  // Running jobs are ignored, whatever time they take: tasks have their own time limits.
  events.on('job:start', forget);
  events.on('worker:stop', forget);
  return {
    note: (worker, pollsAgain) => {
      if (pollsAgain) idleSinceMs.set(worker, performance.now());
      else idleSinceMs.delete(worker);
    },
    isStalled: now => [...idleSinceMs.values()].some(since => now - since > stalledMs),
  };
}
