import { AggregatorRegistry } from 'prom-client';
import type { MetricsSnapshot } from '../platform/observability/metrics.ts';
import type { ToSupervisor } from './messages.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that sends nothing in this time is left out. */
const answerMs = 2_000;

/** Collects the metrics of all workers, so that each of them can answer `/metrics` for all. */
export interface MetricsGatherer {
  /** @returns the merged metrics, in the Prometheus text format */
  gather(workers: readonly WorkerProcess[]): Promise<string>;
  receive(message: Extract<ToSupervisor, { type: 'metrics' }>): void;
}

export function createMetricsGatherer(): MetricsGatherer {
  const waiting = new Map<number, (snapshot: MetricsSnapshot) => void>();
  let lastId = 0;

  function ask(worker: WorkerProcess): Promise<MetricsSnapshot | undefined> {
    const id = ++lastId;
    return new Promise(resolve => {
      const settle = (snapshot?: MetricsSnapshot) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(snapshot);
      };
      const timer = setTimeout(settle, answerMs);
      waiting.set(id, settle);
      worker.send({ type: 'send-metrics', id });
    });
  }

  return {
    async gather(workers) {
      const snapshots = await Promise.all(workers.map(ask));
      return AggregatorRegistry.aggregate(snapshots.filter(snapshot => snapshot !== undefined)).metrics();
    },
    receive: ({ id, snapshot }) => waiting.get(id)?.(snapshot),
  };
}
