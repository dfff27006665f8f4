import type { MetricsSnapshot } from '../metrics.ts';
import { attribute, type Resource, resourceOf, scope, toNanos } from './otlp.ts';

interface Times {
  readonly startedAtMillis: number;
  readonly nowMillis: number;
}

type Metric = MetricsSnapshot[number];
type Labels = Readonly<Record<string, string | number | undefined>>;
type Sample = Metric['values'][number] & { readonly metricName?: string };

/** `AGGREGATION_TEMPORALITY_CUMULATIVE` of OTLP. */
const cumulative = 2;

/** The body of a request to `/v1/metrics`: the metrics of `/metrics`, under the same names. */
export function metricsRequest(resource: Resource, snapshot: MetricsSnapshot, times: Times): object {
  const metrics = snapshot.map(metric => metricOf(metric, times));
  return { resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics: [{ scope, metrics }] }] };
}

function metricOf(metric: Metric, times: Times): object {
  const { name, help: description } = metric;
  // The types of prom-client declare numbers, its values are the names.
  const type = String(metric.type);
  if (type === 'histogram') {
    return {
      name,
      description,
      histogram: { aggregationTemporality: cumulative, dataPoints: histograms(metric, times) },
    };
  }
  const dataPoints = metric.values.map(({ labels, value }) => ({
    ...pointOf(labels, times),
    asDouble: value,
  }));
  if (type !== 'counter') return { name, description, gauge: { dataPoints } };
  return { name, description, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } };
}

function pointOf(labels: Labels, { startedAtMillis, nowMillis }: Times) {
  return {
    attributes: Object.entries(labels).map(([key, value]) => attribute(key, String(value))),
    startTimeUnixNano: toNanos(startedAtMillis),
    timeUnixNano: toNanos(nowMillis),
  };
}

/** Prometheus counts in each bucket those of the smaller ones too; OTLP does not. */
function histograms({ name, values }: Metric, times: Times): object[] {
  const byLabels = new Map<string, { labels: Labels; samples: Sample[] }>();
  for (const sample of values as Sample[]) {
    const { le, ...labels } = sample.labels as Labels;
    const key = JSON.stringify(labels);
    const known = byLabels.get(key) ?? { labels, samples: [] };
    known.samples.push(sample);
    byLabels.set(key, known);
  }
  return [...byLabels.values()].map(({ labels, samples }) => {
    const buckets = samples.filter(({ metricName }) => metricName === `${name}_bucket`);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    return {
      ...pointOf(labels, times),
      count: String(sampleValue(samples, `${name}_count`)),
      sum: sampleValue(samples, `${name}_sum`),
      bucketCounts: counts.map(String),
      explicitBounds: buckets.map(({ labels: { le } }: { labels: Labels }) => Number(le)).filter(Number.isFinite),
    };
  });
}

function sampleValue(samples: readonly Sample[], metricName: string): number {
  return samples.find(sample => sample.metricName === metricName)?.value ?? 0;
}
