import type { Database } from '../../database/database.ts';
import type { Tasks } from '../../queue/work.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** A span of another process, as the header `traceparent` names it. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** An answered request. */
export interface AnsweredRequest {
  /** Method and path of the endpoint, without ids. */
  readonly name: string;
  readonly method: string;
  readonly status: number;
  readonly requestId: string;
  readonly durationMs: number;
}

/** The span of a request that is sampled. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the work of the request. Statements of the database become spans in this one. */
  run<T>(work: () => T): T;
  end(request: AnsweredRequest): void;
}

/** Sends traces and metrics to an OpenTelemetry collector. */
export interface Telemetry {
  /**
   * Begins the span of a request.
   *
   * @param parent the span of the caller, from `traceparent`
   * @returns undefined when the request is not sampled
   */
  begin(parent: ParentSpan | undefined): RequestSpan | undefined;
  /** The same database, with a span for each statement of a sampled request. */
  traceDatabase(db: Database): Database;
  /** The same tasks; each run that is sampled is a trace of its own, with a span for each statement. */
  traceTasks(tasks: Tasks): Tasks;
  /** Sends what is recorded. */
  close(): Promise<void>;
}

export interface TelemetrySettings {
  /** Base of the collector: `http://collector:4318`. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of jobs, and of requests without a parent, that are traced, from 0 to 1. A parent decides for its requests. */
  readonly sampledShare: number;
}

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly fetch: typeof fetch;
  readonly nowMillis: () => number;
}
