import { attribute, type Resource, resourceOf, scope, toNanos } from './otlp.ts';

/** A span that ended. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer';
  readonly durationMs: number;
  readonly endMillis: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
}

/** `SPAN_KIND_SERVER`, `SPAN_KIND_CLIENT`, `SPAN_KIND_CONSUMER` and `STATUS_CODE_ERROR` of OTLP. */
const kinds = { server: 2, client: 3, consumer: 5 };
const errorStatus = 2;

/** The body of a request to `/v1/traces` (opentelemetry-proto 1.x, JSON). */
export function traceRequest(resource: Resource, spans: readonly SpanRecord[]): object {
  return { resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope, spans: spans.map(spanOf) }] }] };
}

function spanOf(span: SpanRecord) {
  const { traceId, spanId, parentSpanId, name, kind, durationMs, endMillis, attributes, isFailed } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanos(endMillis - durationMs),
    endTimeUnixNano: toNanos(endMillis),
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    status: isFailed ? { code: errorStatus } : {},
  };
}
