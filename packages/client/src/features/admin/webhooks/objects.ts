import type { WebhookEventType } from '@tessera/protocol';

/** A receiver of webhooks. A snapshot. */
export interface WebhookEndpoint {
  /** Id of the endpoint. */
  readonly id: string;
  /** An id that the project gave to it; null without one. */
  readonly uid: string | null;
  /** The URL that receives the requests. */
  readonly url: string;
  /** A text for the owners of the project. */
  readonly description: string;
  /** Whether it receives nothing at present. */
  readonly disabled: boolean;
  /** The events that it receives; null for all. */
  readonly eventTypes: readonly WebhookEventType[] | null;
  /** Texts of the project, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Creation time. */
  readonly createdAt: Date;
  /** Time of the last change. */
  readonly updatedAt: Date;
}

/** Changes of a webhook endpoint. A member that is left out keeps its value. */
export interface WebhookEndpointUpdateOptions {
  /** The URL that receives the requests. In production it uses https. */
  readonly url?: string | undefined;
  /** A text for the owners of the project. */
  readonly description?: string | undefined;
  /** Whether it receives nothing from now on. */
  readonly disabled?: boolean | undefined;
  /** The events that it receives; null for all. */
  readonly eventTypes?: readonly WebhookEventType[] | null | undefined;
  /** Texts of the project, by key. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** An id that the project gives to it; null removes it. */
  readonly uid?: string | null | undefined;
}

/** A new webhook endpoint. */
export interface WebhookEndpointCreateOptions extends WebhookEndpointUpdateOptions {
  /** The URL that receives the requests. */
  readonly url: string;
  /** Signs the requests: `whsec_` and 24 to 75 bytes in base64. Default: the server creates one. */
  readonly secret?: string | undefined;
}

/** State of a delivery. */
export type WebhookDeliveryStatus = 'success' | 'pending' | 'fail' | 'sending' | 'canceled';

/** An event that was stored for webhook endpoints. */
export interface WebhookMessage {
  /** Id of the message; the header `svix-id` of its requests. */
  readonly id: string;
  /** Type of the event. */
  readonly eventType: WebhookEventType;
  /** What is sent: `{ type, data }`. */
  readonly payload: unknown;
  /** Time of the event. */
  readonly timestamp: Date;
}

/** A message with the state of its delivery to one endpoint. */
export interface WebhookEndpointMessage extends WebhookMessage {
  /** State of the delivery. */
  readonly status: WebhookDeliveryStatus;
  /** Time of the next attempt; null when none is planned. */
  readonly nextAttemptAt: Date | null;
}

/** An attempt to deliver a message to an endpoint. */
export interface WebhookAttempt {
  /** Id of the attempt. */
  readonly id: string;
  /** Id of the endpoint. */
  readonly endpointId: string;
  /** Id of the message. */
  readonly messageId: string;
  /** The URL that was requested. */
  readonly url: string;
  /** Result of the attempt. */
  readonly status: WebhookDeliveryStatus;
  /** The beginning of the response body. */
  readonly response: string;
  /** HTTP status of the response; 0 without a response. */
  readonly responseStatusCode: number;
  /** Duration of the attempt in milliseconds. */
  readonly responseDurationMs: number;
  /** Whether it was requested with {@link WebhookMethods.resendWebhook}. */
  readonly isManual: boolean;
  /** Time of the attempt. */
  readonly timestamp: Date;
}

/** Which page of a webhook list to read. */
export interface WebhookPageOptions {
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Size of a page. Default 50, at most 250. */
  readonly limit?: number | undefined;
}

/** Which messages or attempts to read. */
export interface WebhookHistoryOptions extends WebhookPageOptions {
  /** Before this time. */
  readonly before?: Date | undefined;
  /** After this time. */
  readonly after?: Date | undefined;
  /** Types of the events. Default: all. */
  readonly eventTypes?: readonly WebhookEventType[] | undefined;
}

/** Which deliveries to read. */
export interface WebhookDeliveryOptions extends WebhookHistoryOptions {
  /** State of the deliveries. Default: all. */
  readonly status?: WebhookDeliveryStatus | undefined;
}

/** A page of a webhook list. */
export type WebhookPage<Item> = Item[] & {
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** Reads of an admin app about webhooks. */
export interface WebhookReads {
  /**
   * The webhook endpoints of the project, oldest first, one page at a time.
   *
   * @example
   * const endpoints = await app.listWebhookEndpoints();
   */
  listWebhookEndpoints(options?: WebhookPageOptions): Promise<WebhookPage<WebhookEndpoint>>;
  /** The types of events that an endpoint can receive. */
  listWebhookEventTypes(): Promise<WebhookEventType[]>;
  /** The messages of the project, newest first. */
  listWebhookMessages(options?: WebhookHistoryOptions): Promise<WebhookPage<WebhookMessage>>;
  /**
   * The messages for an endpoint, newest first, with the state of their delivery.
   *
   * @example
   * const failed = await app.listWebhookEndpointMessages(endpoint.id, { status: 'fail' });
   */
  listWebhookEndpointMessages(
    endpointId: string,
    options?: WebhookDeliveryOptions,
  ): Promise<WebhookPage<WebhookEndpointMessage>>;
  /** The attempts to deliver to an endpoint, newest first. */
  listWebhookAttempts(endpointId: string, options?: WebhookDeliveryOptions): Promise<WebhookPage<WebhookAttempt>>;
}

/** Methods of an admin app for webhooks. */
export interface WebhookMethods {
  /**
   * Creates a webhook endpoint. @throws RequestError when the URL is not allowed.
   *
   * @example
   * const endpoint = await app.createWebhookEndpoint({ url: 'https://example.com/hooks', eventTypes: ['user.created'] });
   */
  createWebhookEndpoint(options: WebhookEndpointCreateOptions): Promise<WebhookEndpoint>;
  /** Changes a webhook endpoint. */
  updateWebhookEndpoint(endpointId: string, changes: WebhookEndpointUpdateOptions): Promise<WebhookEndpoint>;
  /** Deletes a webhook endpoint with its planned deliveries. */
  deleteWebhookEndpoint(endpointId: string): Promise<void>;
  /** The secret that signs the requests to an endpoint. Not cached. */
  getWebhookSecret(endpointId: string): Promise<string>;
  /**
   * Signs the requests to an endpoint with another secret. The old secret signs too for `overlapSeconds`.
   *
   * @param options.secret default: the server creates one.
   * @param options.overlapSeconds default a day, at most 7 days.
   */
  rotateWebhookSecret(
    endpointId: string,
    options?: { secret?: string | undefined; overlapSeconds?: number | undefined },
  ): Promise<void>;
  /** The attempts to deliver a message, newest first. Not cached. */
  getWebhookMessageAttempts(messageId: string, options?: WebhookDeliveryOptions): Promise<WebhookPage<WebhookAttempt>>;
  /**
   * Delivers a message to an endpoint once more.
   *
   * @example
   * await app.resendWebhook(message.id, endpoint.id);
   */
  resendWebhook(messageId: string, endpointId: string): Promise<void>;
  /**
   * Delivers an invented event to an endpoint, once and whatever its event types are.
   *
   * @example
   * await app.sendWebhookExample(endpoint.id, 'user.created');
   */
  sendWebhookExample(endpointId: string, eventType: WebhookEventType): Promise<WebhookMessage>;
}
