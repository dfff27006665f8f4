import { randomUUID } from 'node:crypto';
import { webhookAnswerMaxBytes } from '@tessera/protocol';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { type Transaction, transaction } from '../../../platform/database/database.ts';
import { OutboundError } from '../../../platform/network/outbound.ts';
import { addJob, type Task } from '../../../platform/queue/jobs.ts';
import { decryptKeys } from '../endpoints/secrets.ts';
import { afterAttempt, isSuccess, type Outcome, toMessageId } from '../rules.ts';
import { notifyEndpointDisabled } from './disabled-notice.ts';
import type { ConcurrencyLimiter } from './endpoint-concurrency.ts';
import { signedHeaders } from './signature.ts';
import {
  type DeliveryId,
  type DueDelivery,
  deliveryTask,
  disableEndpoint,
  giveUpDelivery,
  holdDelivery,
  insertAttempt,
  selectDueDelivery,
  startDeliveries,
  updateDelivery,
  updateFailingSince,
} from './store.ts';

export type DeliveryDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'secrets' | 'outbound' | 'mail' | 'projects' | 'settings'
>;

const eventReference = z.object({ projectId: z.string(), id: z.string() });

const deliveryJob = z.object({
  projectId: z.string(),
  eventId: z.string(),
  endpointId: z.string(),
  /** Under which the attempt is logged: one that was logged is not made again. */
  attemptId: z.string(),
  isManual: z.boolean(),
});

type DeliveryJob = z.infer<typeof deliveryJob>;

const nextTurnMs = 1_000;

/** Spreads an event over the endpoints that want it. */
export function eventFanOut(deps: DeliveryDeps): Task {
  return async payload => startDeliveries(deps.db, eventReference.parse(payload));
}

/**
 * Delivers an event to an endpoint: one request, and then, in one transaction, what came of it and the job for the
 * next attempt. A process that dies in between leaves the job there, and the request is made once more, under the same
 * message id (control 103).
 */
export function webhookDelivery(deps: DeliveryDeps, turns: ConcurrencyLimiter): Task {
  return async payload => {
    const job = deliveryJob.parse(payload);
    const end = turns.take(job.endpointId);
    // Several workers may have taken jobs of one endpoint in the same moment.
    if (end === undefined) return transaction(deps.db, tx => enqueue(tx, job, nextTurnMs));
    let wentWell: boolean | undefined;
    try {
      wentWell = await deliver(job, deps);
    } finally {
      end(wentWell);
    }
  };
}

/** @returns whether it was taken; undefined when there was nothing to be done */
async function deliver(job: DeliveryJob, deps: DeliveryDeps): Promise<boolean | undefined> {
  const [due, loaded] = await Promise.all([
    selectDueDelivery(deps.db, job, job.attemptId),
    deps.projects.find(job.projectId),
  ]);
  // The project was deleted, or the event is too old; or the process died after it had noted what came of it.
  if (due === undefined || loaded === undefined || due.isMade) return undefined;
  if (!job.isManual && due.status !== 'pending') return undefined;
  if (!due.isListening) {
    await giveUpDelivery(deps.db, job);
    return undefined;
  }
  const outcome = await post(job, due, deps);
  await settle({ job, url: due.url, outcome }, deps);
  return isSuccess(outcome.status);
}

async function post(job: DeliveryJob, due: DueDelivery, deps: DeliveryDeps): Promise<Outcome> {
  const id = toMessageId(job.eventId);
  const body = `{"type":${JSON.stringify(due.type)},"data":${due.data}}`;
  const signed = signedHeaders({ id, body }, decryptKeys(deps.secrets, due.secrets), deps.clock.now());
  const headers = { 'content-type': 'application/json', 'user-agent': 'Tessera-Webhooks', ...signed };
  const startedAt = performance.now();
  const answered = await ask(due.url, { method: 'POST', headers, body, redirect: 'manual' }, deps);
  return { ...answered, durationMs: Math.round(performance.now() - startedAt) };
}

/** An answer is an answer, whatever it says; what keeps it from coming is told to the owner of the endpoint. */
async function ask(
  url: string,
  init: RequestInit,
  { outbound }: DeliveryDeps,
): Promise<{ status: number; answer: string }> {
  try {
    const response = await outbound.fetch(url, init);
    return { status: response.status, answer: await beginningOf(response) };
  } catch (error) {
    if (error instanceof OutboundError) return { status: 0, answer: `No answer: ${error.message}.` };
    throw error;
  }
}

/** As much of an answer as the log keeps. Text columns hold no NUL. */
async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= webhookAnswerMaxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, webhookAnswerMaxBytes).toString().replaceAll('\0', '\uFFFD');
}

async function settle(
  { job, url, outcome }: { job: DeliveryJob; url: string; outcome: Outcome },
  deps: DeliveryDeps,
): Promise<void> {
  const nowMillis = deps.clock.now();
  await transaction(deps.db, async tx => {
    const held = await holdDelivery(tx, job);
    if (held === undefined) return;
    const attempt = {
      id: job.attemptId,
      url,
      isSuccess: isSuccess(outcome.status),
      isManual: job.isManual,
      answerStatus: outcome.status,
      answer: outcome.answer,
      durationMs: outcome.durationMs,
      atMillis: nowMillis,
    };
    if (!(await insertAttempt(tx, job, attempt))) return;
    const plan = afterAttempt(outcome, { ...held, isManual: job.isManual, nowMillis, chance: Math.random() });
    if (!job.isManual || plan.status === 'success') {
      const nextAttemptAtMillis = plan.retryInMs === null ? null : nowMillis + plan.retryInMs;
      await updateDelivery(tx, job, { status: plan.status, countsAttempt: !job.isManual, nextAttemptAtMillis });
    }
    if (plan.retryInMs !== null) await deliverLater(tx, job, plan.retryInMs);
    if (plan.failingSinceMillis !== held.failingSinceMillis) await updateFailingSince(tx, job, plan.failingSinceMillis);
    if (plan.disables && (await disableEndpoint(tx, job, nowMillis)))
      await notifyEndpointDisabled(tx, { ...job, url }, deps);
  });
}

function deliverLater(tx: Transaction, { projectId, eventId, endpointId }: DeliveryId, delayMs: number): Promise<void> {
  return enqueue(tx, { projectId, eventId, endpointId, attemptId: randomUUID(), isManual: false }, delayMs);
}

/** Delivers once more because somebody asks for it, whatever has become of the delivery. */
export function deliverAgain(tx: Transaction, { projectId, eventId, endpointId }: DeliveryId): Promise<void> {
  return enqueue(tx, { projectId, eventId, endpointId, attemptId: randomUUID(), isManual: true });
}

function enqueue(tx: Transaction, job: DeliveryJob, delayMs = 0): Promise<void> {
  return addJob(tx, deliveryTask, job, { delayMs, flags: [job.endpointId] });
}
