import { requestHeaders } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import type { Clock } from '../../platform/clock.ts';
import { randomRequestId } from '../../platform/crypto/random.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Telemetry } from '../../platform/observability/telemetry/telemetry.ts';
import { acceptsHtml } from '../request/accepts-html.ts';
import { parentSpanOf, traceIdOf } from '../trace.ts';
import { textType } from './content-types.ts';
import { createDateText } from './date-text.ts';
import { type Failure, toFailure } from './failures.ts';
import type { Reply } from './reply.ts';
import { type Draft, draftOf, type ResponseStyle, respond } from './respond.ts';

export interface AnswerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Undefined without a collector. */
  readonly telemetry?: Telemetry | undefined;
  readonly isHttps: boolean;
  /** In development and tests, answers are checked against their schema, and a 500 contains the error. */
  readonly isDevelopment: boolean;
  /** The format of failures; default: that of the contract. */
  readonly toFailure?: typeof toFailure | undefined;
}

const dateOf = createDateText();

/**
 * Answers a request with the result of `work`, or with the failure that it throws. Measures the request, and sends its span
 * to a collector.
 *
 * @param name the route, for metrics and logs
 * @param work gets the id that the response carries
 */
export async function answer(
  request: HttpRequest,
  name: string,
  deps: AnswerDeps,
  work: (requestId: string) => Promise<Draft>,
): Promise<Reply> {
  const startedAt = performance.now();
  const style = readStyle(request, deps);
  const { method, headers } = request;
  const span = deps.telemetry?.begin(parentSpanOf(headers));
  const traceId = () => span?.traceId ?? traceIdOf(headers);
  const run = () => work(style.requestId);
  const draft = await (span === undefined ? run() : span.run(run)).catch((error: unknown) =>
    failureDraft(error, { request, name, traceId: traceId(), style, deps }),
  );
  const durationMs = performance.now() - startedAt;
  const { status } = draft;
  const { requestId } = style;
  deps.metrics.request(name, status, durationMs);
  span?.end({ name, method, status, requestId, durationMs });
  if (deps.log.isLevelEnabled('debug')) {
    deps.log.debug({ requestId, traceId: traceId(), method, route: name, status, durationMs }, 'request');
  }
  return respond(draft, style);
}

interface FailureContext {
  readonly request: HttpRequest;
  readonly name: string;
  /** The trace id of the request's span; without telemetry the one that the caller sent, if any. */
  readonly traceId: string | undefined;
  readonly style: ResponseStyle;
  readonly deps: AnswerDeps;
}

function failureDraft(error: unknown, context: FailureContext): Draft {
  const { request, style, deps } = context;
  const convert = deps.toFailure ?? toFailure;
  const failure = convert(error, { requestId: style.requestId, showsDetails: deps.isDevelopment });
  if (!failure.isExpected)
    deps.log.error(
      { requestId: style.requestId, traceId: context.traceId, route: context.name, error },
      'a request failed',
    );
  return draftOf(isReadByPerson(request, failure) ? withTraceId(failure, style.requestId) : failure);
}

/** A browser that opened the address shows the text, without the headers. */
function isReadByPerson(request: HttpRequest, { contentType, body }: Failure): boolean {
  return contentType === textType && body !== '' && acceptsHtml(request);
}

function withTraceId(failure: Failure, requestId: string): Failure {
  if (failure.body.includes(requestId)) return failure;
  return { ...failure, body: `${failure.body}\n\nTrace id: ${requestId}` };
}

/** The parts of a response that depend on its request and on the server. A preflight is answered without its request. */
export function readStyle(
  request: HttpRequest | undefined,
  deps: Pick<AnswerDeps, 'clock' | 'isHttps'>,
): ResponseStyle {
  return {
    requestId: randomRequestId(),
    overridesStatus: request?.headers.has(requestHeaders.overrideErrorStatus) === true,
    isHttps: deps.isHttps,
    date: dateOf(deps.clock.now()),
  };
}
