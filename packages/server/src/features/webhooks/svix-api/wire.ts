import type { EndpointRow } from '../endpoints/store.ts';
import { applicationId, toMessageId, toPublicId } from '../rules.ts';
import type { AttemptRow, DeliveryRow, MessageRow } from './history-store.ts';

const statuses = { success: 0, pending: 1, fail: 2 } as const;
const triggers = { scheduled: 0, manual: 1 } as const;

/** Svix fields that this server does not use. */
const notLimited = { rateLimit: null, throttleRate: null };

export function applicationOut(project: { id: string; displayName: string; createdAtMillis: number }) {
  const createdAt = timeOf(project.createdAtMillis);
  return {
    id: applicationId(project.id),
    uid: project.id,
    name: project.displayName,
    metadata: {},
    ...notLimited,
    createdAt,
    updatedAt: createdAt,
  };
}

export function endpointOut(endpoint: EndpointRow) {
  return {
    id: toPublicId('endpoint', endpoint.id),
    uid: endpoint.uid,
    url: endpoint.url,
    description: endpoint.description,
    disabled: endpoint.isDisabled,
    filterTypes: endpoint.filterTypes === null ? null : [...endpoint.filterTypes],
    metadata: { ...endpoint.metadata },
    version: endpoint.version,
    channels: null,
    ...notLimited,
    createdAt: timeOf(endpoint.createdAtMillis),
    updatedAt: timeOf(endpoint.updatedAtMillis),
  };
}

/** A message; the payload is empty when the caller does not request the content. */
export function messageOut(
  message: Omit<MessageRow, 'data'> & Partial<Pick<MessageRow, 'data'>>,
  { withContent }: { withContent: boolean },
) {
  return {
    id: toMessageId(message.id),
    eventId: null,
    eventType: message.type,
    payload: withContent ? { type: message.type, data: message.data } : {},
    timestamp: timeOf(message.createdAtMillis),
    channels: null,
  };
}

export function attemptOut(attempt: AttemptRow, shown: { withContent: boolean; withMessage: boolean }) {
  const statusText = attempt.isSuccess ? 'success' : 'fail';
  return {
    id: toPublicId('attempt', attempt.id),
    endpointId: toPublicId('endpoint', attempt.endpointId),
    msgId: toMessageId(attempt.message.id),
    ...(shown.withMessage ? { msg: messageOut(attempt.message, { withContent: false }) } : {}),
    url: attempt.url,
    status: statuses[statusText],
    statusText,
    response: shown.withContent ? attempt.answer : '',
    responseStatusCode: attempt.answerStatus,
    responseDurationMs: attempt.durationMs,
    triggerType: attempt.isManual ? triggers.manual : triggers.scheduled,
    timestamp: timeOf(attempt.atMillis),
  } as const;
}

export function endpointMessageOut(delivery: DeliveryRow, shown: { withContent: boolean }) {
  return {
    ...messageOut(delivery.message, shown),
    status: statuses[delivery.status],
    statusText: delivery.status,
    nextAttempt: delivery.nextAttemptAtMillis === null ? null : timeOf(delivery.nextAttemptAtMillis),
  };
}

function timeOf(atMillis: number): string {
  return new Date(atMillis).toISOString();
}
