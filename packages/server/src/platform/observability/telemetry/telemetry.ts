import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** A span of another process, as the header `traceparent` names it. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** An answered request. */
export interface RequestSpan {
  /** Method and path of the endpoint, without ids. */
  readonly name: string;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
  readonly durationMs: number;
  /** The span of the caller, from `traceparent`. */
  readonly parent: ParentSpan | undefined;
}

/** Sends traces and metrics to an OpenTelemetry collector. */
export interface Telemetry {
  /** Records the span of a request. @returns its trace; undefined when it is not sampled */
  request(span: RequestSpan): string | undefined;
  /** Sends what is recorded. */
  close(): Promise<void>;
}

export interface TelemetrySettings {
  /** Base of the collector: `http://collector:4318`. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of requests without a parent that are traced, from 0 to 1. A parent decides for its requests. */
  readonly sampledShare: number;
}

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly fetch: typeof fetch;
  readonly nowMillis: () => number;
}

/** Loads the exporter only when a collector is set, so that it costs nothing without one. */
export async function openTelemetry(
  settings: TelemetrySettings | undefined,
  options: Omit<TelemetryOptions, 'settings'>,
): Promise<Telemetry | undefined> {
  if (settings === undefined) return undefined;
  const { createExporter } = await import('./exporter.ts');
  return createExporter({ ...options, settings });
}
