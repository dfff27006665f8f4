import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  code,
  codeErrors,
  codeIsValid,
  credentialErrors,
  listOf,
  noQuery,
  primaryEmail,
  strictEmail,
  success,
  url,
  userIdOrMe,
  uuid,
} from '../../fields/fields.ts';

/** docs/contract/users.md#contact-channels: the same for all levels. */
const contactChannel = z.strictObject({
  user_id: uuid,
  id: uuid,
  value: z.string(),
  type: z.literal('email'),
  used_for_auth: z.boolean(),
  is_verified: z.boolean(),
  is_primary: z.boolean(),
});

const params = z.strictObject({ user_id: userIdOrMe, contact_channel_id: uuid });

const clientCreation = z.strictObject({
  user_id: userIdOrMe,
  value: primaryEmail,
  type: z.literal('email'),
  used_for_auth: z.boolean(),
  is_primary: z.boolean().optional(),
});

const clientChanges = clientCreation.omit({ user_id: true }).partial();

const isVerified = { is_verified: z.boolean().optional() };
const codeBody = z.strictObject({ code });
const tag = 'Contact channels';

export const contactChannelEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/contact-channels',
    access: 'client',
    query: z.strictObject({ user_id: userIdOrMe.optional(), contact_channel_id: uuid.optional() }),
    response: listOf(contactChannel),
    summary: 'List contact channels, oldest first',
    tag,
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/contact-channels',
    access: 'client',
    query: noQuery,
    body: { client: clientCreation, server: clientCreation.extend(isVerified) },
    response: contactChannel,
    status: 201,
    recordsItsChange: true,
    summary: 'Add a contact channel to a user',
    tag,
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      ...credentialErrors,
      'USER_NOT_FOUND',
      'EMAIL_ADDRESS_NOT_ALLOWED',
      'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/contact-channels/{user_id}/{contact_channel_id}',
    access: 'client',
    params,
    query: noQuery,
    response: contactChannel,
    summary: 'Read a contact channel',
    tag,
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/contact-channels/{user_id}/{contact_channel_id}',
    access: 'client',
    params,
    query: noQuery,
    body: { client: clientChanges, server: clientChanges.extend(isVerified) },
    response: contactChannel,
    recordsItsChange: true,
    summary: 'Change a contact channel',
    tag,
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      ...credentialErrors,
      'EMAIL_ADDRESS_NOT_ALLOWED',
      'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
    ],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/contact-channels/{user_id}/{contact_channel_id}',
    access: 'client',
    params,
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Remove a contact channel',
    tag,
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', ...credentialErrors],
  }),
  sendVerification: endpoint({
    method: 'POST',
    path: '/contact-channels/{user_id}/{contact_channel_id}/send-verification-code',
    access: 'client',
    params,
    body: z.strictObject({ callback_url: url }),
    response: success,
    summary: 'Send a code that verifies the channel',
    tag,
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'USER_ID_DOES_NOT_EXIST',
      'EMAIL_ALREADY_VERIFIED',
      'REDIRECT_URL_NOT_WHITELISTED',
    ],
  }),
  sendPrimaryVerification: endpoint({
    method: 'POST',
    path: '/contact-channels/send-verification-code',
    access: 'client',
    user: 'required',
    body: z.strictObject({ email: strictEmail, callback_url: url }),
    response: success,
    summary: 'Send a code that verifies the primary email (deprecated)',
    tag,
    errors: ['EMAIL_IS_NOT_PRIMARY_EMAIL', 'EMAIL_ALREADY_VERIFIED', 'REDIRECT_URL_NOT_WHITELISTED'],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/contact-channels/verify',
    access: 'client',
    endedSession: 'ignored',
    body: codeBody,
    response: success,
    recordsItsChange: true,
    summary: 'Verify a channel with the code that was sent to it',
    tag,
    errors: codeErrors,
  }),
  checkVerification: endpoint({
    method: 'POST',
    path: '/contact-channels/verify/check-code',
    access: 'client',
    endedSession: 'ignored',
    ignoresIdempotencyKey: true,
    body: codeBody,
    response: codeIsValid,
    summary: 'Check a verification code without using it',
    tag,
    errors: codeErrors,
  }),
};
