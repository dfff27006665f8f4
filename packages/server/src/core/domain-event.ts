import type { WebhookEventType } from '@tessera/protocol';

/** Something that happened to a user, team or permission; sent to the webhook endpoints of the project. */
export interface DomainEvent {
  readonly projectId: string;
  readonly type: WebhookEventType;
  /** The `data` of the message, as in docs/contract/emails-webhooks-metrics.md#events. */
  readonly data: object;
  readonly nowMillis: number;
}
