import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { json, millis, uuid } from '../../fields/fields.ts';

const text = z.string().nullable();
const time = millis.nullable();

const ownData = z.strictObject({
  exported_at_millis: millis,
  account: z.strictObject({
    id: uuid,
    display_name: text,
    profile_image_url: text,
    signed_up_at_millis: millis,
    last_active_at_millis: time,
    has_password: z.boolean(),
    has_email_code: z.boolean(),
    has_two_step_verification: z.boolean(),
    client_metadata: json,
    client_read_only_metadata: json,
  }),
  email_addresses: z.array(
    z.strictObject({
      value: z.string(),
      is_primary: z.boolean(),
      is_verified: z.boolean(),
      used_for_auth: z.boolean(),
      added_at_millis: millis,
    }),
  ),
  passkeys: z.array(
    z.strictObject({ name: text, user_agent: text, created_at_millis: millis, last_used_at_millis: time }),
  ),
  connected_accounts: z.array(
    z.strictObject({
      provider_id: z.string(),
      account_id: z.string(),
      display_name: text,
      email: text,
      connected_at_millis: millis,
    }),
  ),
  sessions: z.array(z.strictObject({ created_at_millis: millis, expires_at_millis: millis, user_agent: text })),
  teams: z.array(
    z.strictObject({ id: uuid, display_name: z.string(), own_display_name: text, joined_at_millis: millis }),
  ),
  api_keys: z.array(
    z.strictObject({
      description: z.string(),
      last_four: z.string(),
      created_at_millis: millis,
      expires_at_millis: time,
      last_used_at_millis: time,
      scopes: z.array(z.string()).nullable(),
    }),
  ),
  notification_preferences: z.array(z.strictObject({ category_id: uuid, is_enabled: z.boolean() })),
  security_activity: z.array(
    z.strictObject({ at_millis: millis, action: z.string(), address: text, user_agent: text }),
  ),
});

/** Extension: what the project stores about the signed-in user (docs/contract/decisions.md#account-safety). */
export const dataExportEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/extensions/data-export',
    access: 'client',
    user: 'required',
    changesNothing: true,
    response: ownData,
    summary: 'Export the data of the signed-in user, without secrets',
    tag: 'extension',
    errors: ['REAUTHENTICATION_REQUIRED'],
  }),
};
