import type { WorkerEvents } from 'graphile-worker';

export interface WorkWatch {
  /** Whether a worker without a running job has completed no poll of the queue for too long. */
  isStalled(nowMs: number): boolean;
}

/** Observes completed polls, because a connection may be open while no data passes through it. */
export function watchWork(events: WorkerEvents, stalledMs: number, nowMs = () => performance.now()): WorkWatch {
  /** When each worker without a running job last completed a poll or a job. */
  const idleSinceMs = new Map<string, number>();
  const note = ({ worker }: { worker: { workerId: string } }) => {
    idleSinceMs.set(worker.workerId, nowMs());
  };
  const forget = ({ worker }: { worker: { workerId: string } }) => {
    idleSinceMs.delete(worker.workerId);
  };
  events.on('worker:create', note);
  events.on('worker:getJob:empty', note);
  events.on('job:complete', note);
  // Running jobs are ignored, whatever time they take: tasks have their own time limits.
  events.on('job:start', forget);
  events.on('worker:stop', forget);
  return { isStalled: now => [...idleSinceMs.values()].some(since => now - since > stalledMs) };
}
