/// <reference path="./prom-client.d.ts" />
import Counter from 'prom-client/lib/counter.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import type { WaitingJobs } from '../queue/waiting-jobs.ts';
import { createJobGauges } from './job-gauges.ts';

/** The content of `/metrics`, in the Prometheus text format. */
export interface Metrics {
  request(route: string, status: number, durationMs: number): void;
  /** An email that is deferred because the mail quota of its project is used up. */
  mailDeferred(): void;
  /** Adds the metrics of the process itself, such as its memory. Called when the server listens: it loads code. */
  collectProcess(): Promise<void>;
  /** Adds the metrics of the job queue, which are read at each call of `text` and `snapshot`. */
  collectJobs(read: () => Promise<readonly WaitingJobs[]>): void;
  /** The metrics of this process, or with workers those of all. */
  text(): Promise<string>;
  /** The metrics of this process, for those of all workers. */
  snapshot(): Promise<MetricsSnapshot>;
  readonly contentType: string;
}

/** Metrics of one process, as plain data. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** How often the delay of the event loop is sampled. The default of 10 ms makes up a third of the work of an idle server. */
const eventLoopSampleMs = 100;
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** `prom-client` hashes the labels at each call; the child of a route and status is looked up once. */
export function createMetrics(gather?: () => Promise<string>): Metrics {
  const registry = new Registry();
  const labelNames = ['route', 'status'] as const;
  const name = 'tessera_http_requests_total';
  const requests = new Counter({ name, help: 'Requests by route and status.', labelNames, registers: [registry] });
  const durations = new Histogram({
    name: 'tessera_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'] as const,
    buckets: bucketsSeconds,
    registers: [registry],
  });
  const deferredMails = new Counter({
    name: 'tessera_mails_deferred_total',
    help: 'Emails that waited because the mail quota of their project was used up.',
    registers: [registry],
  });
  let readJobs = async () => {};
  const children = new Map<string, { count: Counter.Internal; time: Histogram.Internal<'route'> }>();

  function childOf(route: string, status: number) {
    const key = `${status} ${route}`;
    const known = children.get(key);
    if (known !== undefined) return known;
    const child = { count: requests.labels(route, String(status)), time: durations.labels(route) };
    children.set(key, child);
    return child;
  }

  return {
    request(route, status, durationMs) {
      const child = childOf(route, status);
      child.count.inc();
      child.time.observe(durationMs / 1000);
    },
    mailDeferred: () => deferredMails.inc(),
    async collectProcess() {
      const { default: collectDefaultMetrics } = await import('prom-client/lib/defaultMetrics.js');
      collectDefaultMetrics({
        register: registry,
        prefix: 'tessera_',
        eventLoopMonitoringPrecision: eventLoopSampleMs,
      });
    },
    collectJobs(read) {
      readJobs = createJobGauges(registry, read);
    },
    text: () => gather?.() ?? readJobs().then(() => registry.metrics()),
    snapshot: () => readJobs().then(() => registry.getMetricsAsJSON()),
    contentType: registry.contentType,
  };
}
