import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The content of `/metrics`, in the Prometheus text format. */
export interface Metrics {
  request(route: string, status: number, durationMs: number): void;
  /** An email that is deferred because the mail quota of its project is used up. */
  mailDeferred(): void;
  /** The metrics of this process, or with workers those of all. */
  text(): Promise<string>;
  /** The metrics of this process, for `mergeMetrics`. */
  snapshot(): Promise<MetricsSnapshot>;
  readonly contentType: string;
}

/** Metrics of one process, as plain data. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** `prom-client` hashes the labels at each call; the child of a route and status is looked up once. */
export function createMetrics(options: {
  readonly collectsProcess: boolean;
  readonly gather?: (() => Promise<string>) | undefined;
}): Metrics {
  const registry = new Registry();
  if (options.collectsProcess) collectDefaultMetrics({ register: registry, prefix: 'tessera_' });
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
    text: () => options.gather?.() ?? registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}

/** Adds up the metrics of several processes. */
export function mergeMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}
