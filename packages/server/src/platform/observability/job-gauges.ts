/// <reference path="./prom-client.d.ts" />
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import type { WaitingJobs } from '../queue/waiting-jobs.ts';

/** Metrics of this process must be complete within two seconds, or those of all workers leave it out. */
const readMs = 1_000;

/**
 * The gauges of the job queue, which all processes share: each reports the same jobs.
 *
 * @returns reads the jobs again; without an answer of the database the gauges have no values
 */
export function createJobGauges(registry: Registry, read: () => Promise<readonly WaitingJobs[]>): () => Promise<void> {
  // Of several workers one value is reported, not their sum.
  const options = { labelNames: ['task'] as const, registers: [registry], aggregator: 'max' as const };
  const waiting = new Gauge({ ...options, name: 'tessera_jobs_waiting', help: 'Jobs that are due and not started.' });
  const oldest = new Gauge({
    ...options,
    name: 'tessera_jobs_oldest_seconds',
    help: 'Time for which the oldest of these jobs has been due.',
  });
  const failed = new Gauge({ ...options, name: 'tessera_jobs_failed', help: 'Jobs whose last attempt failed.' });
  let reading: Promise<void> | undefined;

  async function show(): Promise<void> {
    for (const gauge of [waiting, oldest, failed]) gauge.reset();
    const jobs = await read().catch(() => []);
    for (const { task, ...jobsOfTask } of jobs) {
      waiting.set({ task }, jobsOfTask.count);
      oldest.set({ task }, jobsOfTask.oldestSeconds);
      failed.set({ task }, jobsOfTask.failed);
    }
    reading = undefined;
  }

  return async () => {
    reading ??= show();
    await Promise.race([reading, delay(readMs, undefined, { ref: false })]);
  };
}
