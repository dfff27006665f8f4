import { randomBytes } from 'node:crypto';
import { createThrottledLog } from '../throttled-log.ts';
import { metricsRequest } from './otlp-metrics.ts';
import { type SpanRecord, traceRequest } from './otlp-traces.ts';
import type { RequestSpan, Telemetry, TelemetryOptions } from './telemetry.ts';

const traceEveryMs = 5_000;
const metricsEveryMs = 60_000;
/** More spans than this are sent before the time. */
const batchSize = 512;
/** The most spans that wait while the collector is slow or away; further ones are dropped. */
const maxWaiting = 4_096;
const requestTimeoutMs = 10_000;

/** Sends spans and metrics as OTLP over HTTP with JSON. What the collector does not take is dropped. */
export function createExporter({ settings, metrics, log, fetch, nowMillis }: TelemetryOptions): Telemetry {
  const resource = { serviceName: settings.serviceName, instanceId: randomBytes(8).toString('hex') };
  const onFailure = createThrottledLog(log, 'the OpenTelemetry collector takes nothing');
  const startedAtMillis = nowMillis();
  let waiting: SpanRecord[] = [];
  let sending: Promise<void> | undefined;

  const traceTimer = setInterval(() => void sendSpans(), traceEveryMs).unref();
  const metricsTimer = setInterval(() => void sendMetrics(), metricsEveryMs).unref();

  function request(span: RequestSpan): string | undefined {
    const { parent } = span;
    const isSampled = parent?.isSampled ?? Math.random() < settings.sampledShare;
    if (!isSampled || waiting.length >= maxWaiting) return undefined;
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    waiting.push({ ...span, traceId, spanId: randomBytes(8).toString('hex'), endMillis: nowMillis() });
    if (waiting.length >= batchSize) void sendSpans();
    return traceId;
  }

  function sendSpans(): Promise<void> {
    sending ??= sendWaiting().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendWaiting(): Promise<void> {
    const spans = waiting;
    waiting = [];
    if (spans.length > 0) await post('/v1/traces', traceRequest(resource, spans));
  }

  async function sendMetrics(): Promise<void> {
    const snapshot = await metrics.snapshot();
    await post('/v1/metrics', metricsRequest(resource, snapshot, { startedAtMillis, nowMillis: nowMillis() }));
  }

  async function post(path: string, body: object): Promise<void> {
    try {
      const response = await fetch(`${settings.endpoint}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...settings.headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    request,
    close: async () => {
      clearInterval(traceTimer);
      clearInterval(metricsTimer);
      await sending;
      await Promise.all([sendSpans(), sendMetrics()]);
    },
  };
}
