import { attribute, type Resource, resourceOf, scope, toNanos } from './otlp.ts';
import type { RequestSpan } from './telemetry.ts';

export interface SpanRecord extends RequestSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly endMillis: number;
}

/** `SPAN_KIND_SERVER` and `STATUS_CODE_ERROR` of OTLP. */
const serverKind = 2;
const errorStatus = 2;

/** The body of a request to `/v1/traces` (opentelemetry-proto 1.x, JSON). */
export function traceRequest(resource: Resource, spans: readonly SpanRecord[]): object {
  return { resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope, spans: spans.map(spanOf) }] }] };
}

function spanOf({ traceId, spanId, parent, name, method, status, requestId, durationMs, endMillis }: SpanRecord) {
  return {
    traceId,
    spanId,
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    name,
    kind: serverKind,
    startTimeUnixNano: toNanos(endMillis - durationMs),
    endTimeUnixNano: toNanos(endMillis),
    attributes: [
      attribute('http.request.method', method),
      attribute('http.route', name.slice(name.indexOf(' ') + 1)),
      attribute('http.response.status_code', status),
      attribute('tessera.request_id', requestId),
    ],
    status: status >= 500 ? { code: errorStatus } : {},
  };
}
