import type { WebhookEventType } from '@tessera/protocol';
import type {
  WebhookAttempt,
  WebhookDeliveryOptions,
  WebhookDeliveryStatus,
  WebhookEndpoint,
  WebhookEndpointMessage,
  WebhookEndpointUpdateOptions,
  WebhookMessage,
  WebhookPage,
  WebhookPageOptions,
} from './objects.ts';

export interface PageJson<Item> {
  readonly data: readonly Item[];
  readonly done: boolean;
  readonly iterator: string | null;
}

export interface EndpointJson extends Omit<WebhookEndpoint, 'eventTypes' | 'createdAt' | 'updatedAt'> {
  readonly filterTypes: readonly WebhookEventType[] | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface MessageJson extends Omit<WebhookMessage, 'timestamp'> {
  readonly timestamp: string;
}

export interface EndpointMessageJson extends MessageJson {
  readonly statusText: WebhookDeliveryStatus;
  readonly nextAttempt: string | null;
}

export interface AttemptJson extends Omit<WebhookAttempt, 'messageId' | 'status' | 'isManual' | 'timestamp'> {
  readonly msgId: string;
  readonly statusText: WebhookDeliveryStatus;
  readonly triggerType: number;
  readonly timestamp: string;
}

/** The states by their number in the Svix API. */
const statuses: readonly WebhookDeliveryStatus[] = ['success', 'pending', 'fail', 'sending', 'canceled'];
const manualTrigger = 1;

export function pageToWire({ cursor, limit }: WebhookPageOptions) {
  return { iterator: cursor, limit };
}

export function historyToWire({ before, after, eventTypes, status, ...page }: WebhookDeliveryOptions) {
  return {
    ...pageToWire(page),
    before: before?.toISOString(),
    after: after?.toISOString(),
    event_types: eventTypes?.join(','),
    status: status && statuses.indexOf(status),
  };
}

export function endpointToWire({ eventTypes, ...options }: WebhookEndpointUpdateOptions) {
  return { ...options, filterTypes: eventTypes };
}

export function pageFromWire<Wire, Item>(
  { data, done, iterator }: PageJson<Wire>,
  itemFromWire: (wire: Wire) => Item,
): WebhookPage<Item> {
  const items = data.map(itemFromWire);
  return Object.assign(items, { nextCursor: done ? null : iterator });
}

export function endpointFromWire(wire: EndpointJson): WebhookEndpoint {
  const { id, uid, url, description, disabled, metadata } = wire;
  return Object.freeze({
    id,
    uid,
    url,
    description,
    disabled,
    metadata,
    eventTypes: wire.filterTypes,
    createdAt: new Date(wire.createdAt),
    updatedAt: new Date(wire.updatedAt),
  });
}

export function messageFromWire({ id, eventType, payload, timestamp }: MessageJson): WebhookMessage {
  return Object.freeze({ id, eventType, payload, timestamp: new Date(timestamp) });
}

export function endpointMessageFromWire(wire: EndpointMessageJson): WebhookEndpointMessage {
  const nextAttemptAt = wire.nextAttempt === null ? null : new Date(wire.nextAttempt);
  return Object.freeze({ ...messageFromWire(wire), status: wire.statusText, nextAttemptAt });
}

export function attemptFromWire(wire: AttemptJson): WebhookAttempt {
  return Object.freeze({
    id: wire.id,
    endpointId: wire.endpointId,
    messageId: wire.msgId,
    url: wire.url,
    status: wire.statusText,
    response: wire.response,
    responseStatusCode: wire.responseStatusCode,
    responseDurationMs: wire.responseDurationMs,
    isManual: wire.triggerType === manualTrigger,
    timestamp: new Date(wire.timestamp),
  });
}
