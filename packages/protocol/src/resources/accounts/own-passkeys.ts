import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { listOf, millis, success } from '../../fields/fields.ts';
import { credentialIdMaxLength, passkeyNameMaxLength } from '../../limits.ts';
import { device } from '../sessions/sessions.ts';

const passkeyId = z
  .string()
  .min(1)
  .max(credentialIdMaxLength)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')
  .meta({ description: 'The credential id.', example: 'pYqQ2zZk8cT7mXhJ0bS1vA' });

const params = z.strictObject({ passkey_id: passkeyId });

const name = z
  .string()
  .trim()
  .min(1)
  .max(passkeyNameMaxLength)
  .meta({ description: 'Given by the owner of the account.', example: 'Phone' });

const ownPasskey = z.strictObject({
  id: passkeyId,
  name: name.nullable(),
  provider_name: z.string().nullable().meta({
    description: 'The password manager or security key that keeps the passkey; null when it is not known.',
    example: 'Google Password Manager',
  }),
  device: device.nullable().meta({ description: 'The device of the registration; null when it is not known.' }),
  is_synced: z.boolean().meta({ description: 'Whether other devices of the owner can have the passkey too.' }),
  created_at_millis: millis,
  last_used_at_millis: millis.nullable(),
});

/** Extensions: the passkeys of the signed-in user, one by one (docs/contract/decisions.md#account-safety). */
export const ownPasskeyEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/extensions/passkeys',
    access: 'client',
    user: 'required',
    response: listOf(ownPasskey).extend({
      user_handle: z.string().meta({ description: 'The user handle of all passkeys of the user, as base64url.' }),
      user_name: z.string().meta({ description: 'The name of the account in the prompts of a browser.' }),
    }),
    summary: 'List the passkeys of the signed-in user, oldest first',
    tag: 'extension',
    errors: [],
  }),
  check: endpoint({
    method: 'POST',
    path: '/extensions/passkeys/check',
    access: 'client',
    endedSession: 'ignored',
    ignoresIdempotencyKey: true,
    body: z.strictObject({ passkey_id: passkeyId }),
    response: z.strictObject({ is_known: z.boolean() }),
    summary: 'Check whether a passkey is registered, so that a browser can remove one that is not',
    tag: 'extension',
    errors: ['PASSKEY_AUTHENTICATION_NOT_ENABLED'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/extensions/passkeys/{passkey_id}',
    access: 'client',
    user: 'required',
    params,
    body: z.strictObject({ name: name.nullable().meta({ description: 'Null removes the name.' }) }),
    response: success,
    summary: 'Rename a passkey of the signed-in user',
    tag: 'extension',
    errors: [],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/extensions/passkeys/{passkey_id}',
    access: 'client',
    user: 'required',
    params,
    response: success,
    recordsItsChange: true,
    summary: 'Remove a passkey of the signed-in user, unless it is the last sign-in method',
    tag: 'extension',
    errors: ['LAST_SIGN_IN_METHOD', 'REAUTHENTICATION_REQUIRED'],
  }),
};
