import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { json, millis, pageCursor, pageOf, uuid } from '../fields/fields.ts';
import { auditPageDefault, auditPageMax } from '../limits.ts';

/** The event types of the audit log (control 97). A feature with a new event adds a line. */
export const auditActions = [
  'sign_in.succeeded',
  'sign_in.failed',
  'sign_in.refused',
  'limit.reached',
  'session.created',
  'session.ended',
  'session.reauthenticated',
  'session.token_reused',
  'user.created',
  'user.deleted',
  'user.deletion_scheduled',
  'user.deletion_canceled',
  'user.link_created',
  'user.data_exported',
  'user.sign_in_allowed',
  'user.suspended',
  'user.suspension_ended',
  'factor.password_set',
  'factor.password_changed',
  'factor.password_reset',
  'factor.password_removed',
  'factor.totp_enabled',
  'factor.totp_disabled',
  'factor.recovery_codes_created',
  'factor.recovery_code_used',
  'factor.otp_enabled',
  'factor.otp_disabled',
  'factor.passkey_added',
  'factor.passkey_removed',
  'factor.provider_linked',
  'factor.provider_unlinked',
  'factor.address_added',
  'factor.address_changed',
  'factor.address_verified',
  'factor.address_removed',
  'admin.request',
  'project.created',
  'project.config_changed',
  'project.deleted',
  'project.mail_quota_reached',
  'message.created',
  'message.canceled',
  'email.sent_again',
  'project.owner_changed',
  'project.member_invited',
  'project.invitation_revoked',
  'project.member_joined',
  'project.member_role_changed',
  'project.member_removed',
  'key_set.created',
  'key_set.changed',
  'key_set.revoked',
  'key_set.used',
  'api_key.created',
  'api_key.changed',
  'api_key.revoked',
  'api_key.checked',
  'api_key.refused',
  'webhook_endpoint.disabled',
  'signing_keys.rotated',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** The actor: a user, an owner through the dashboard, the holder of a key, or the server itself. */
const auditActorTypes = ['user', 'owner', 'server_key', 'admin_key', 'client', 'system'] as const;

export type AuditActorType = (typeof auditActorTypes)[number];

const auditEvent = z.strictObject({
  id: uuid,
  at_millis: millis,
  action: z.enum(auditActions),
  actor: z.strictObject({
    type: z.enum(auditActorTypes),
    id: uuid.nullable().meta({
      description:
        'Of a user or an owner; of the key set for a server or admin key. Null for other callers, and for keys in events of earlier versions.',
    }),
  }),
  user_id: uuid.nullable().meta({ description: 'The user of the event. The user may have been deleted since.' }),
  subject: z
    .strictObject({ type: z.string(), id: z.string() })
    .nullable()
    .meta({ description: 'What it was done to, where that is not the user.' }),
  address: z.string().nullable().meta({ description: 'Of the caller, as far as trusted proxies tell.' }),
  user_agent: z.string().nullable(),
  trace_id: z
    .string()
    .nullable()
    .meta({ description: 'The `x-stack-request-id` of the request; null for events of the server itself.' }),
  details: json,
  before: json.meta({ description: 'Of a changed configuration: what it was. Secrets are left out.' }),
  after: json,
});

/** A user whom events of a page name by id. */
const auditUser = z.strictObject({
  id: uuid,
  display_name: z.string().nullable(),
  primary_email: z.string().nullable(),
});

export const auditCursor = pageCursor.meta({ description: 'Of the first event of the wanted page.' });

/** The id of a request, as answers carry it in `x-stack-request-id`. */
const traceId = z.string().regex(/^[0-9a-hjkmnp-tv-z]{16}$/, 'must be the id of a request: 16 characters');

const filters = {
  action: z.enum(auditActions).optional(),
  actor_id: uuid.optional().meta({ description: 'Id of a user, an owner or a key set.' }),
  user_id: uuid.optional(),
  trace_id: traceId
    .optional()
    .meta({ description: 'Events of the request whose answer had this `x-stack-request-id`.' }),
  address: z
    .union([z.ipv4(), z.ipv6()], 'must be an IP address')
    .optional()
    .meta({ description: 'Events of callers with this IP address, in any notation.' }),
  from_millis: millis.optional().meta({ description: 'At this time or later.' }),
  to_millis: millis.optional().meta({ description: 'Before this time.' }),
};

/** Extensions (control 97; docs/contract/decisions.md#controls-and-the-contract) */
export const auditEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/internal/extensions/audit-log',
    access: 'admin',
    query: z.strictObject({
      ...filters,
      limit: z.number().int().min(1).max(auditPageMax).optional().meta({ default: auditPageDefault }),
      cursor: auditCursor.optional(),
    }),
    response: pageOf(auditEvent, z.string()).extend({
      users: z.array(auditUser).meta({
        description: 'Names of the users of the events, and of their actors. Deleted users are missing.',
      }),
    }),
    summary: 'List the audit log of the project, newest first',
    tag: 'extension',
    errors: [],
  }),
  export: endpoint({
    method: 'GET',
    path: '/internal/extensions/audit-log/export',
    access: 'admin',
    query: z.strictObject(filters),
    response: auditEvent,
    produces: 'json-lines',
    summary: 'Export the audit log of the project, newest first, one event per line',
    tag: 'extension',
    errors: [],
  }),
};
