import type { Settings } from '../../../env.ts';
import type { Incoming } from '../../../http/pipeline.ts';
import { createDateText } from '../../../http/response/date-text.ts';
import type { Reply } from '../../../http/response/reply.ts';
import { type Draft, draftOf, respond } from '../../../http/response/respond.ts';
import type { Clock } from '../../../platform/clock.ts';
import { randomRequestId } from '../../../platform/crypto/random.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { Metrics } from '../../../platform/observability/metrics.ts';
import { toSvixFailure } from './failures.ts';

export interface SvixAnswerDeps {
  readonly settings: Pick<Settings, 'mode' | 'publicUrl'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const dateOf = createDateText();

interface Work {
  /** The name of the route in the log and in the metrics. */
  readonly route: string;
  readonly run: (requestId: string) => Promise<Draft>;
}

/** Answers a request with the result of `run`, or with its failure in the format of Svix. Logs and measures it. */
export async function answer({ request }: Incoming, { route, run }: Work, deps: SvixAnswerDeps): Promise<Reply> {
  const { settings, log, metrics } = deps;
  const startedAt = performance.now();
  const requestId = randomRequestId();
  const draft = await run(requestId).catch((error: unknown) => {
    const failure = toSvixFailure(error, { requestId, showsDetails: settings.mode === 'development' });
    if (!failure.isExpected) log.error({ requestId, route, error }, 'a request failed');
    return draftOf(failure);
  });
  const durationMs = performance.now() - startedAt;
  metrics.request(route, draft.status, durationMs);
  log.debug({ requestId, method: request.method, route, status: draft.status, durationMs }, 'request');
  return toReply(draft, requestId, deps);
}

/** Adds the response headers, which are those of the other API. */
export function toReply(
  draft: Draft,
  requestId: string,
  { settings, clock }: Pick<SvixAnswerDeps, 'settings' | 'clock'>,
): Reply {
  const isHttps = settings.publicUrl.startsWith('https:');
  return respond(draft, { requestId, overridesStatus: false, isHttps, date: dateOf(clock.now()) });
}
