import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Statement } from '../../database/sql.ts';
import type { Task } from '../../queue/work.ts';
import { createThrottledLog } from '../throttled-log.ts';
import { metricsRequest } from './otlp-metrics.ts';
import { type SpanRecord, traceRequest } from './otlp-traces.ts';
import { nameStatement, observeStatements } from './statement-spans.ts';
import type { AnsweredRequest, ParentSpan, RequestSpan, Telemetry, TelemetryOptions } from './telemetry.ts';

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
  const post = createPost({ settings, log, fetch });
  const startedAtMillis = nowMillis();
  /** The span of the request or job whose work is running. */
  const spans = new AsyncLocalStorage<{ readonly traceId: string; readonly spanId: string }>();
  let waiting: SpanRecord[] = [];
  let sending: Promise<void> | undefined;

  const traceTimer = setInterval(() => void sendSpans(), traceEveryMs).unref();
  const metricsTimer = setInterval(() => void sendMetrics(), metricsEveryMs).unref();

  function record(span: Omit<SpanRecord, 'endMillis'>): void {
    if (waiting.length >= maxWaiting) return;
    waiting.push({ ...span, endMillis: nowMillis() });
    if (waiting.length >= batchSize) void sendSpans();
  }

  function begin(parent: ParentSpan | undefined): RequestSpan | undefined {
    const isSampled = parent?.isSampled ?? Math.random() < settings.sampledShare;
    if (!isSampled) return undefined;
    const span = { traceId: parent?.traceId ?? randomBytes(16).toString('hex'), spanId: createSpanId() };
    return {
      traceId: span.traceId,
      run: work => spans.run(span, work),
      end: request => record({ ...span, parentSpanId: parent?.spanId, ...describeRequest(request) }),
    };
  }

  function observe<T>(statement: Statement, run: () => Promise<T>): Promise<T> {
    const parent = spans.getStore();
    if (parent === undefined) return run();
    return timed(run, (durationMs, isFailed) => {
      const ids = { traceId: parent.traceId, spanId: createSpanId(), parentSpanId: parent.spanId };
      record({ ...ids, ...describeStatement(statement), durationMs, isFailed });
    });
  }

  function trace(name: string, task: Task): Task {
    return async payload => {
      if (Math.random() >= settings.sampledShare) return task(payload);
      const span = { traceId: randomBytes(16).toString('hex'), spanId: createSpanId(), parentSpanId: undefined };
      const run = () => spans.run(span, () => task(payload));
      await timed(run, (durationMs, isFailed) => record({ ...span, ...describeJob(name), durationMs, isFailed }));
    };
  }

  function sendSpans(): Promise<void> {
    sending ??= sendWaiting().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendWaiting(): Promise<void> {
    const ended = waiting;
    waiting = [];
    if (ended.length > 0) await post('/v1/traces', traceRequest(resource, ended));
  }

  async function sendMetrics(): Promise<void> {
    const snapshot = await metrics.snapshot();
    await post('/v1/metrics', metricsRequest(resource, snapshot, { startedAtMillis, nowMillis: nowMillis() }));
  }

  return {
    begin,
    traceDatabase: db => observeStatements(db, observe),
    traceTasks: tasks => Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, trace(name, task)])),
    close: async () => {
      clearInterval(traceTimer);
      clearInterval(metricsTimer);
      await sending;
      await Promise.all([sendSpans(), sendMetrics()]);
    },
  };
}

/** A failure costs a line in the log at most once a second. */
function createPost({ settings, log, fetch }: Pick<TelemetryOptions, 'settings' | 'log' | 'fetch'>) {
  const onFailure = createThrottledLog(log, 'the OpenTelemetry collector refuses the data');
  return async (path: string, body: object): Promise<void> => {
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
  };
}

async function timed<T>(run: () => Promise<T>, onEnd: (durationMs: number, isFailed: boolean) => void): Promise<T> {
  const startedAt = performance.now();
  let isFailed = true;
  try {
    const result = await run();
    isFailed = false;
    return result;
  } finally {
    onEnd(performance.now() - startedAt, isFailed);
  }
}

function createSpanId(): string {
  return randomBytes(8).toString('hex');
}

function describeRequest({ name, method, status, requestId, durationMs }: AnsweredRequest) {
  return {
    name,
    kind: 'server' as const,
    durationMs,
    attributes: {
      'http.request.method': method,
      'http.route': name.slice(name.indexOf(' ') + 1),
      'http.response.status_code': status,
      'tessera.request_id': requestId,
    },
    isFailed: status >= 500,
  };
}

/** The payload names users and projects, so it is not an attribute. */
function describeJob(task: string) {
  return {
    name: `process ${task}`,
    kind: 'consumer' as const,
    attributes: {
      'messaging.system': 'graphile_worker',
      'messaging.operation.type': 'process',
      'messaging.destination.name': task,
    },
  };
}

/** Values are parameters and never part of the text, so the text reveals nothing. */
function describeStatement({ text }: Statement) {
  const { verb, table } = nameStatement(text);
  return {
    name: table === undefined ? verb : `${verb} ${table}`,
    kind: 'client' as const,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
      'db.query.text': text.trim(),
    },
  };
}
