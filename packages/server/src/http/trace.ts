import type { HttpHeaders } from '../core/http-request.ts';
import type { ParentSpan } from '../platform/observability/telemetry/telemetry.ts';

/** The header of W3C Trace Context, version 00: `00-{trace id}-{parent id}-{flags}`. */
const traceParent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const sampledFlag = 1;

/** The span of the caller; undefined without a valid `traceparent`. */
export function parentSpanOf(headers: HttpHeaders): ParentSpan | undefined {
  const [, traceId, spanId, flags] = traceParent.exec(headers.get('traceparent') ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag };
}

/** The trace that a request belongs to, for the log; undefined without a valid `traceparent`. */
export function traceIdOf(headers: HttpHeaders): string | undefined {
  return parentSpanOf(headers)?.traceId;
}
