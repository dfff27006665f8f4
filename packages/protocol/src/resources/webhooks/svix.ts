import * as z from 'zod';
import type { ProjectRole } from '../../access/roles.ts';
import type { Method } from '../../endpoint.ts';
import { noQuery } from '../../fields/fields.ts';
import {
  ownerRecentSignInMs,
  webhookDescriptionMaxLength,
  webhookFilterTypesMax,
  webhookMetadataMaxLength,
  webhookSecretMaxBytes,
  webhookSecretMinBytes,
  webhookSecretOverlapMaxSeconds,
  webhooksPageDefault,
  webhooksPageMax,
  webhookUidMaxLength,
  webhookUrlMaxLength,
} from '../../limits.ts';
import { parseUrl } from '../../urls.ts';
import { webhookEventTypes } from '../../webhooks.ts';

/**
 * A route that the public Svix client calls. It is outside the envelope: the caller sends a bearer token, names are in
 * camelCase, errors are `{ code, detail }`, and lists are `{ data, done, iterator, prevIterator }`.
 */
export interface SvixEndpoint {
  readonly method: Method;
  /** Path below `/api/v1`; with or without a slash at the end. */
  readonly path: `/app/{app_id}${string}`;
  readonly status: 200 | 201 | 202 | 204;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Absent: the response has no body. */
  readonly response?: z.ZodType;
  readonly summary: string;
  /** As of other endpoints: the lowest role of a person, and the age of the latest sign-in (`Endpoint`). */
  readonly role?: ProjectRole;
  readonly recentSignInWithinMs?: number;
}

function svix<const E extends SvixEndpoint>(declaration: E): E {
  return declaration;
}

const keyPattern = /^(?:whsec_)?([A-Za-z0-9+/]{4,}={0,2})$/;

function decodedBytes(text: string): number {
  const [, body = ''] = keyPattern.exec(text) ?? [];
  const letters = body.replace(/=/g, '').length;
  return body.length % 4 === 0 ? Math.floor((letters * 3) / 4) : 0;
}

const key = z
  .string()
  .refine(
    text => decodedBytes(text) >= webhookSecretMinBytes && decodedBytes(text) <= webhookSecretMaxBytes,
    `must be whsec_ and ${webhookSecretMinBytes} to ${webhookSecretMaxBytes} bytes in base64`,
  )
  .transform(text => (text.startsWith('whsec_') ? text : `whsec_${text}`))
  .meta({ description: 'What signs: `whsec_` and bytes in base64. Left out, the server makes one.' });

const receiver = z
  .string()
  .max(webhookUrlMaxLength)
  .refine(isReceiver, 'must be an http or https URL without user and password')
  .meta({ format: 'uri', example: 'https://example.com/webhooks' });

function isReceiver(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined || /\s/.test(text)) return false;
  const { protocol, username, password } = url;
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const metadata = z
  .record(z.string(), z.string())
  .refine(value => JSON.stringify(value).length <= webhookMetadataMaxLength, 'is too large');

/** Features of Svix that this server does not have; null means that the caller does not request them. */
const absent = z.null().meta({ description: 'Not offered here.' });

const uid = z
  .string()
  .max(webhookUidMaxLength)
  .regex(/^[a-zA-Z0-9\-_.]+$/, 'must consist of letters, digits, and -_.')
  .refine(text => !text.startsWith('ep_'), 'must not look like an id');

const filterTypes = z.array(z.enum(webhookEventTypes)).min(1).max(webhookFilterTypesMax);

const changeable = {
  description: z.string().max(webhookDescriptionMaxLength).optional(),
  disabled: z.boolean().optional(),
  filterTypes: filterTypes.nullable().optional(),
  metadata: metadata.optional(),
  uid: uid.nullable().optional(),
  version: z.int32().min(1).nullable().optional(),
  channels: absent.optional(),
  rateLimit: absent.optional(),
  throttleRate: absent.optional(),
};

const endpointIn = z.strictObject({
  ...changeable,
  url: receiver,
  secret: key.nullable().optional(),
  headers: absent.optional(),
});
const endpointUpdate = z.strictObject({ ...changeable, url: receiver });
const endpointPatch = z.strictObject({ ...changeable, url: receiver.optional(), version: z.int32().min(1).optional() });

const time = z.string().meta({ format: 'date-time' });
const nothing = z.null();

const endpointOut = z.strictObject({
  id: z.string(),
  uid: z.string().nullable(),
  url: z.string(),
  description: z.string(),
  disabled: z.boolean(),
  filterTypes: z.array(z.string()).nullable(),
  metadata: z.record(z.string(), z.string()),
  version: z.int(),
  channels: nothing,
  rateLimit: nothing,
  throttleRate: nothing,
  createdAt: time,
  updatedAt: time,
});

const application = z.strictObject({
  id: z.string(),
  uid: z.string(),
  name: z.string(),
  metadata: z.strictObject({}),
  rateLimit: nothing,
  throttleRate: nothing,
  createdAt: time,
  updatedAt: time,
});

const message = z.strictObject({
  id: z.string(),
  eventId: nothing,
  eventType: z.string(),
  payload: z.unknown(),
  timestamp: time,
  channels: nothing,
});

const status = z.int().min(0).max(4).meta({ description: '0 success, 1 pending, 2 fail, 3 sending, 4 canceled' });
const statusText = z.enum(['success', 'pending', 'fail', 'sending', 'canceled']);

const attempt = z.strictObject({
  id: z.string(),
  endpointId: z.string(),
  msgId: z.string(),
  msg: message.optional(),
  url: z.string(),
  status,
  statusText,
  response: z.string(),
  responseStatusCode: z.int(),
  responseDurationMs: z.int(),
  triggerType: z.int().meta({ description: '0 scheduled, 1 manual' }),
  timestamp: time,
});

const endpointMessage = message.extend({ status, statusText, nextAttempt: time.nullable() });

function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item),
    done: z.boolean(),
    iterator: z.string().nullable(),
    prevIterator: z.string().nullable(),
  });
}

const flag = z.boolean();
const moment = z
  .string()
  .refine(text => !Number.isNaN(Date.parse(text)), 'must be a date')
  .transform(text => Date.parse(text));

const page = {
  limit: z.number().int().min(1).max(webhooksPageMax).default(webhooksPageDefault),
  iterator: z.string().max(webhookUidMaxLength).optional(),
};

const history = {
  ...page,
  before: moment.optional(),
  after: moment.optional(),
  /** Comma-separated. */
  event_types: z.string().optional(),
  channel: z.string().optional(),
  tag: z.string().optional(),
  with_content: flag.default(true),
};

const ofAttempts = {
  ...history,
  status: status.optional(),
  status_code_class: z.number().int().min(0).max(500).optional(),
  expanded_statuses: flag.optional(),
};

const ofMessage = z.strictObject({ with_content: flag.default(true) });
const endpointPath = '/app/{app_id}/endpoint/{endpoint_id}';

/** The routes of Svix that this server offers (docs/contract/decisions.md#webhooks). */
export const svixEndpoints = {
  readApplication: svix({
    method: 'GET',
    path: '/app/{app_id}',
    status: 200,
    query: noQuery,
    response: application,
    summary: 'Read the application, which is the project of the token',
  }),
  listEndpoints: svix({
    method: 'GET',
    path: '/app/{app_id}/endpoint',
    status: 200,
    query: z.strictObject({ ...page, order: z.enum(['ascending', 'descending']).default('ascending') }),
    response: listOf(endpointOut),
    summary: 'List the endpoints, oldest first',
  }),
  createEndpoint: svix({
    method: 'POST',
    path: '/app/{app_id}/endpoint',
    status: 201,
    query: noQuery,
    body: endpointIn,
    response: endpointOut,
    summary: 'Create an endpoint',
  }),
  readEndpoint: svix({
    method: 'GET',
    path: endpointPath,
    status: 200,
    query: noQuery,
    response: endpointOut,
    summary: 'Read an endpoint',
  }),
  replaceEndpoint: svix({
    method: 'PUT',
    path: endpointPath,
    status: 200,
    query: noQuery,
    body: endpointUpdate,
    response: endpointOut,
    summary: 'Replace the settings of an endpoint; settings that are not sent get their default',
  }),
  changeEndpoint: svix({
    method: 'PATCH',
    path: endpointPath,
    status: 200,
    query: noQuery,
    body: endpointPatch,
    response: endpointOut,
    summary: 'Change some settings of an endpoint',
  }),
  deleteEndpoint: svix({
    method: 'DELETE',
    path: endpointPath,
    status: 204,
    query: noQuery,
    summary: 'Delete an endpoint',
  }),
  sendExample: svix({
    method: 'POST',
    path: `${endpointPath}/send-example`,
    status: 200,
    query: noQuery,
    body: z.strictObject({
      eventType: z.enum(webhookEventTypes),
      exampleIndex: z.literal(0).optional().meta({ description: 'Each type has one example.' }),
    }),
    response: message,
    summary: 'Deliver an invented event to an endpoint, once and whatever its filter is',
  }),
  readSecret: svix({
    method: 'GET',
    path: `${endpointPath}/secret`,
    role: 'admin',
    recentSignInWithinMs: ownerRecentSignInMs,
    status: 200,
    query: noQuery,
    response: z.strictObject({ key: z.string() }),
    summary: 'Read the signing secret of an endpoint',
  }),
  rotateSecret: svix({
    method: 'POST',
    path: `${endpointPath}/secret/rotate`,
    recentSignInWithinMs: ownerRecentSignInMs,
    status: 204,
    query: noQuery,
    body: z.strictObject({
      key: key.nullable().optional(),
      gracePeriodSeconds: z.int().min(0).max(webhookSecretOverlapMaxSeconds).nullable().optional(),
    }),
    summary: 'Replace the signing secret of an endpoint; the old one also signs for one day',
  }),
  listMessages: svix({
    method: 'GET',
    path: '/app/{app_id}/msg',
    status: 200,
    query: z.strictObject(history),
    response: listOf(message),
    summary: 'List messages, newest first',
  }),
  readMessage: svix({
    method: 'GET',
    path: '/app/{app_id}/msg/{msg_id}',
    status: 200,
    query: ofMessage,
    response: message,
    summary: 'Read a message',
  }),
  listAttemptsOfEndpoint: svix({
    method: 'GET',
    path: '/app/{app_id}/attempt/endpoint/{endpoint_id}',
    status: 200,
    query: z.strictObject({ ...ofAttempts, with_msg: flag.default(false) }),
    response: listOf(attempt),
    summary: 'List the delivery attempts of an endpoint, newest first',
  }),
  listAttemptsOfMessage: svix({
    method: 'GET',
    path: '/app/{app_id}/attempt/msg/{msg_id}',
    status: 200,
    query: z.strictObject({ ...ofAttempts, endpoint_id: z.string().optional() }),
    response: listOf(attempt),
    summary: 'List the delivery attempts of a message, newest first',
  }),
  listMessagesOfEndpoint: svix({
    method: 'GET',
    path: `${endpointPath}/msg`,
    status: 200,
    query: z.strictObject({ ...history, status: status.optional(), expanded_statuses: flag.optional() }),
    response: listOf(endpointMessage),
    summary: 'List the messages of an endpoint with their delivery status; status 2 means failed',
  }),
  resend: svix({
    method: 'POST',
    path: '/app/{app_id}/msg/{msg_id}/endpoint/{endpoint_id}/resend',
    status: 202,
    query: noQuery,
    response: z.strictObject({}),
    summary: 'Deliver a message to an endpoint again',
  }),
};
