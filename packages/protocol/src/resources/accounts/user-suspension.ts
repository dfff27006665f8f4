import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { millis, noQuery, success, uuid } from '../../fields/fields.ts';
import { suspensionReasonMaxLength } from '../../limits.ts';

const userParams = z.strictObject({ user_id: uuid });

const suspension = z.strictObject({
  suspended_at_millis: millis,
  reason: z.string().nullable().meta({ description: 'For the people who manage users. The user never sees it.' }),
});

/** Extensions: users who cannot sign in until the suspension ends (docs/contract/user-administration.md#suspended-users). */
export const userSuspensionEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/extensions/users/{user_id}/suspension',
    access: 'server',
    params: userParams,
    query: noQuery,
    response: z.strictObject({
      suspension: suspension.nullable().meta({ description: 'Null: the user may sign in.' }),
    }),
    summary: 'Read whether a user is suspended',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
  suspend: endpoint({
    method: 'PUT',
    path: '/extensions/users/{user_id}/suspension',
    access: 'server',
    params: userParams,
    query: noQuery,
    body: z.strictObject({
      reason: z.string().trim().max(suspensionReasonMaxLength).nullable().optional().meta({
        description: 'For the people who manage users. Default null.',
      }),
    }),
    response: z.strictObject({ suspension }),
    recordsItsChange: true,
    summary: 'Suspend a user: end all sessions, refuse new ones and the API keys of the user',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/extensions/users/{user_id}/suspension',
    access: 'server',
    params: userParams,
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Allow a suspended user to sign in again',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
};
