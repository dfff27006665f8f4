import type { WorkerEvents } from 'graphile-worker';

export interface WorkWatch {
  /** Whether a worker that runs no job has completed no poll of the queue for too long. */
  isStalled(nowMs: number): boolean;
}

/** Measures workers by what they do: a connection may be open while nothing passes through it. */
export function watchWork(events: WorkerEvents, stalledMs: number, nowMs = () => performance.now()): WorkWatch {
  /** When each worker that runs no job last completed something. */
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
  // However long a job takes: the tasks have time limits of their own.
  events.on('job:start', forget);
  events.on('worker:stop', forget);
  return { isStalled: now => [...idleSinceMs.values()].some(since => now - since > stalledMs) };
}
