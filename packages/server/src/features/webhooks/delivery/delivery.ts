import { randomUUID } from 'node:crypto';
import { webhookAnswerMaxBytes } from '@tessera/protocol';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { batchLoad } from '../../../platform/database/batches/batch-load.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { type Outbound, OutboundError, type OutboundPost } from '../../../platform/network/outbound.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { projectFlag, type Task } from '../../../platform/queue/work.ts';
import type { Mail } from '../../email/queue/index.ts';
import type { Projects } from '../../projects/index.ts';
import { decryptKeys } from '../endpoints/secrets.ts';
import { isSuccess, type Outcome, planAfterAttempt, toMessageId } from '../rules.ts';
import { notifyEndpointDisabled } from './disabled-notice.ts';
import type { EndpointLimits } from './endpoint-limits.ts';
import { signatureHeaders } from './signature.ts';
import {
  type Attempt,
  type DeliveryId,
  type DueDelivery,
  deliveryTask,
  disableEndpoint,
  type EventId,
  failDelivery,
  insertAttempt,
  lockDelivery,
  selectDueDeliveries,
  startDeliveries,
  updateDelivery,
  updateFailingSince,
} from './store.ts';
import { type MadeAttempt, recordSuccesses } from './success-store.ts';

interface DeliveryDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly log: Log;
  readonly mail: Mail;
  readonly outbound: Outbound;
  readonly projects: Projects;
  readonly secrets: Secrets;
}

const eventReference = z.object({ projectId: z.string(), id: z.string() });

const deliveryJob = z.object({
  projectId: z.string(),
  eventId: z.string(),
  endpointId: z.string(),
  /** Id of the attempt in the log. A logged attempt is not repeated. */
  attemptId: z.string(),
  isManual: z.boolean(),
});

type DeliveryJob = z.infer<typeof deliveryJob>;

/** Starts a delivery to each endpoint that subscribes to the event type. Events of one moment share a statement. */
export function eventFanOut({ db }: Pick<DeliveryDeps, 'db'>): Task {
  const start = batchLoad((events: readonly EventId[]) => startDeliveries(db, events), oneAtOnce);
  return async payload => {
    await start(eventReference.parse(payload));
  };
}

/**
 * Delivers an event to an endpoint: sends one request, then records the outcome and enqueues the next attempt in one
 * transaction. When the process dies in between, the job remains and the request is sent again under the same message
 * id (control 103). Deliveries of one moment share the statements that read them and record their successes.
 */
export function webhookDelivery(deps: DeliveryDeps, endpoints: EndpointLimits): Task {
  const { db } = deps;
  const shared: SharedStatements = {
    due: batchLoad((jobs: readonly DeliveryJob[]) => selectDueDeliveries(db, jobs), oneAtOnce),
    recordSuccess: batchLoad((made: readonly MadeAttempt[]) => recordSuccesses(db, made).then(() => made), oneAtOnce),
  };
  return async payload => {
    const job = deliveryJob.parse(payload);
    const isAccepted = await deliver(job, shared, deps);
    if (isAccepted !== undefined) endpoints.record(job.endpointId, isAccepted);
  };
}

/** While one statement runs, the next batch gathers. */
const oneAtOnce = { maxQueries: 1, maxKeys: 100 };

interface SharedStatements {
  readonly due: (job: DeliveryJob) => Promise<DueDelivery | undefined>;
  readonly recordSuccess: (made: MadeAttempt) => Promise<unknown>;
}

/** @returns whether the endpoint accepted the event; undefined when no request was sent */
async function deliver(job: DeliveryJob, shared: SharedStatements, deps: DeliveryDeps): Promise<boolean | undefined> {
  const [due, loaded] = await Promise.all([shared.due(job), deps.projects.find(job.projectId)]);
  // The project was deleted, the event is too old, or the attempt was recorded before the process died.
  if (due === undefined || loaded === undefined || due.isMade) return undefined;
  if (!job.isManual && due.status !== 'pending') return undefined;
  if (!due.isListening) {
    await failDelivery(deps.db, job);
    return undefined;
  }
  const outcome = await sendRequest(job, due, deps);
  const attempt = attemptOf({ job, url: due.url, outcome }, deps.clock.now());
  if (attempt.isSuccess) await shared.recordSuccess({ delivery: job, attempt });
  else await recordFailure({ job, outcome, attempt }, deps);
  return attempt.isSuccess;
}

function attemptOf(
  { job, url, outcome }: { job: DeliveryJob; url: string; outcome: Outcome },
  nowMillis: number,
): Attempt {
  return {
    id: job.attemptId,
    url,
    isSuccess: isSuccess(outcome.status),
    isManual: job.isManual,
    answerStatus: outcome.status,
    answer: outcome.answer,
    durationMs: outcome.durationMs,
    atMillis: nowMillis,
  };
}

async function sendRequest(job: DeliveryJob, due: DueDelivery, deps: DeliveryDeps): Promise<Outcome> {
  const id = toMessageId(job.eventId);
  const body = `{"type":${JSON.stringify(due.type)},"data":${due.data}}`;
  const signed = signatureHeaders({ id, body }, decryptKeys(deps.secrets, due.secrets), deps.clock.now());
  const headers = { 'content-type': 'application/json', 'user-agent': 'Tessera-Webhooks', ...signed };
  const startedAt = performance.now();
  const result = await postTo(due.url, { headers, body, maxAnswerBytes: webhookAnswerMaxBytes }, deps);
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

/** Every HTTP response is an outcome. A connection error is reported to the owner in the attempt log. */
async function postTo(
  url: string,
  request: OutboundPost,
  { outbound }: DeliveryDeps,
): Promise<{ status: number; answer: string }> {
  try {
    const { status, body } = await outbound.post(url, request);
    // Text columns refuse NUL.
    return { status, answer: body.toString().replaceAll('\0', '\uFFFD') };
  } catch (error) {
    if (error instanceof OutboundError) return { status: 0, answer: `No answer: ${error.message}.` };
    throw error;
  }
}

async function recordFailure(
  { job, outcome, attempt }: { job: DeliveryJob; outcome: Outcome; attempt: Attempt },
  deps: DeliveryDeps,
): Promise<void> {
  const nowMillis = attempt.atMillis;
  await transaction(deps.db, async tx => {
    const locked = await lockDelivery(tx, job);
    if (locked === undefined) return;
    if (!(await insertAttempt(tx, job, attempt))) return;
    const plan = planAfterAttempt(outcome, { ...locked, isManual: job.isManual, nowMillis, chance: Math.random() });
    if (!job.isManual) {
      const nextAttemptAtMillis = plan.retryInMs === null ? null : nowMillis + plan.retryInMs;
      await updateDelivery(tx, job, { status: plan.status, nextAttemptAtMillis });
    }
    if (plan.retryInMs !== null) await enqueueAttempt(tx, job, plan.retryInMs);
    // A late response of the URL before a change says nothing about the new one.
    if (attempt.url !== locked.url) return;
    if (plan.failingSinceMillis !== locked.failingSinceMillis)
      await updateFailingSince(tx, job, plan.failingSinceMillis);
    if (plan.disables && (await disableEndpoint(tx, job, nowMillis)))
      await notifyEndpointDisabled(tx, { ...job, url: attempt.url }, deps);
  });
}

function enqueueAttempt(
  tx: Transaction,
  { projectId, eventId, endpointId }: DeliveryId,
  delayMs: number,
): Promise<void> {
  return enqueue(tx, { projectId, eventId, endpointId, attemptId: randomUUID(), isManual: false }, delayMs);
}

/** Adds a manual attempt, whatever the status of the delivery. */
export function enqueueManualAttempt(tx: Transaction, { projectId, eventId, endpointId }: DeliveryId): Promise<void> {
  return enqueue(tx, { projectId, eventId, endpointId, attemptId: randomUUID(), isManual: true });
}

function enqueue(tx: Transaction, job: DeliveryJob, delayMs = 0): Promise<void> {
  return addJob(tx, deliveryTask, job, { delayMs, flags: [projectFlag(job.projectId), job.endpointId] });
}
