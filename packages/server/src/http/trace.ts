/** The header of W3C Trace Context, version 00: `00-{trace id}-{parent id}-{flags}`. */
const traceParent = /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace that a request belongs to, for the log; undefined without a valid `traceparent`. */
export function traceIdOf(headers: Headers): string | undefined {
  return traceParent.exec(headers.get('traceparent') ?? '')?.[1];
}
