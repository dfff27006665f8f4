import { messageBatchPauseMs, messageBatchUsers, messageCopiesWaitingMax } from '@tessera/protocol';
import * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import { unreachable } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, type Transaction, transaction } from '../../../platform/database/database.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import type { Task } from '../../../platform/queue/work.ts';
import { messageUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import type { Projects } from '../../projects/index.ts';
import { findCategory } from '../notifications/index.ts';
import { enqueueCopies, storeMessageBody } from '../queue/bulk-email.ts';
import { spendOrWait } from '../quota.ts';
import { planSending } from '../rules.ts';
import { lockAddressees } from '../store.ts';
import { type BatchStep, planBatch } from './rules.ts';
import { lockMessage, type MessageRow, selectBacklog, selectNextUserIds, updateProgress } from './store.ts';
import { decryptMessage } from './text.ts';

/** Name of the jobs that queue the next batch of a message. */
export const messageTask = 'message';

interface SendingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly rateLimits: RateLimits;
}

const reference = z.object({ projectId: z.string(), id: z.string() });

/**
 * Queues one batch of a message, and the job of the next one, in one transaction: when the process dies, no user gets two
 * copies and none is left out.
 */
export function messageSending(deps: SendingDeps): Task {
  return async payload => {
    const message = reference.parse(payload);
    const loaded = await deps.projects.find(message.projectId);
    if (loaded === undefined) return;
    const step = await planStep(deps.db, message);
    if (step === 'ended') return;
    // A job that only waits must not use up the limit: it runs every two seconds.
    const pauseMs =
      step === 'wait' ? messageBatchPauseMs : 1000 * (await spendBatch(message.projectId, deps.rateLimits));
    await transaction(deps.db, async tx => {
      if (pauseMs > 0) return addJob(tx, messageTask, message, { delayMs: pauseMs });
      const delayMs = await queueBatch(tx, { ...message, project: loaded.project }, deps);
      if (delayMs !== undefined) await addJob(tx, messageTask, message, { delayMs });
    });
  };
}

async function planStep(from: Queryable, { projectId, id }: z.infer<typeof reference>): Promise<BatchStep> {
  const backlog = await selectBacklog(from, projectId, id);
  return planBatch(backlog, { waitingMax: messageCopiesWaitingMax });
}

/** @returns 0, or the seconds until the limit of batches takes one */
function spendBatch(projectId: string, rateLimits: RateLimits): Promise<number> {
  return spendOrWait(rateLimits.spend(messageUses('messageBatchesPerProject', projectId)));
}

/** @returns the delay of the next batch; undefined after the last one */
async function queueBatch(
  tx: Transaction,
  { projectId, id, project }: { projectId: string; id: string; project: Project },
  deps: SendingDeps,
): Promise<number | undefined> {
  const message = await lockMessage(tx, projectId, id);
  const step = await planStep(tx, { projectId, id });
  if (message === undefined || step === 'ended') return undefined;
  if (step === 'wait') return messageBatchPauseMs;
  const { audience, lastUserId: after } = message;
  const userIds = await selectNextUserIds(tx, projectId, { audience, after, limit: messageBatchUsers });
  const count = await queueCopies(tx, { message, userIds, project }, deps);
  const isLast = userIds.length < messageBatchUsers;
  await updateProgress(tx, projectId, {
    id,
    state: isLast ? 'sent' : 'sending',
    queued: message.queued + count,
    lastUserId: userIds.at(-1) ?? after,
  });
  return isLast ? undefined : 0;
}

/** Queues a copy for each user with an address who has not unsubscribed. @returns their number */
export async function queueCopies(
  tx: Transaction,
  { message, userIds, project }: { message: MessageRow; userIds: readonly string[]; project: Project },
  deps: Pick<SendingDeps, 'clock' | 'secrets'>,
): Promise<number> {
  const category = findCategory(message.categoryId) ?? unreachable('a message of an unknown category');
  const addressees = await lockAddressees(tx, project.id, { userIds, categoryId: category.id });
  const recipients = userIds
    .map(id => planSending(id, addressees.get(id), { category, renderingError: null }))
    .filter(sending => sending.refusal === null);
  if (recipients.length === 0) return 0;
  const { subject, content: blocks } = decryptMessage(message.encrypted, deps.secrets);
  const endsCategoryId = category.canDisable ? category.id : null;
  const bodyId = await storeMessageBody(tx, project.id, { subject, blocks, endsCategoryId }, deps);
  // The quota protects the server of the installation.
  const countsInQuota = project.config.emailConfig.type === 'shared';
  await enqueueCopies(tx, project.id, { bodyId, recipients, messageId: message.id, countsInQuota }, deps);
  return recipients.length;
}
