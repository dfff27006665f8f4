import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { millis, pageOf, uuid } from '../../fields/fields.ts';
import { ownActivityPageMax } from '../../limits.ts';
import { type AuditAction, auditCursor } from '../audit.ts';
import { device } from '../sessions/sessions.ts';

/** The events of the audit log that concern the safety of a user's account. */
export const securityActions = [
  'sign_in.succeeded',
  'sign_in.failed',
  // Only of an impersonation: the support of the app opened the account.
  'session.created',
  'session.ended',
  'session.reauthenticated',
  'session.token_reused',
  'user.created',
  'user.link_created',
  'user.data_exported',
  'user.deletion_scheduled',
  'user.deletion_canceled',
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
  'api_key.created',
  'api_key.revoked',
] as const satisfies readonly AuditAction[];

export type SecurityAction = (typeof securityActions)[number];

const securityEvent = z.strictObject({
  id: uuid,
  at_millis: millis,
  action: z.enum(securityActions),
  is_own: z.boolean().meta({
    description: 'Whether it came from a client: the user, or a caller who tried to sign in. Otherwise from the app.',
  }),
  address: z.string().nullable().meta({ description: 'Of the caller; null when the app did it.' }),
  device,
});

/** Extension: the part of the audit log that is about the signed-in user (docs/contract/decisions.md#account-safety). */
export const ownActivityEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/extensions/security-activity',
    access: 'client',
    user: 'required',
    query: z.strictObject({
      limit: z.number().int().min(1).max(ownActivityPageMax).optional().meta({ default: ownActivityPageMax }),
      cursor: auditCursor.optional(),
    }),
    response: pageOf(securityEvent, z.string()),
    summary: 'List what happened to the account of the signed-in user, newest first',
    tag: 'extension',
    errors: [],
  }),
};
