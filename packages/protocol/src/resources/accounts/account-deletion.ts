import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { millis, noQuery, success, uuid } from '../../fields/fields.ts';

const scheduled = z
  .strictObject({ requested_at_millis: millis, deletes_at_millis: millis })
  .nullable()
  .meta({ description: 'Null when the account is not going to be deleted.' });

const userParams = z.strictObject({ user_id: uuid });

/**
 * Extensions: a user deletes the own account, at once or after the cooling-off period of the project
 * (docs/contract/decisions.md#account-deletion).
 */
export const accountDeletionEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/extensions/account-deletion',
    access: 'client',
    user: 'required',
    response: z.strictObject({
      scheduled,
      teams_without_successor: z.array(z.strictObject({ id: uuid, display_name: z.string() })).meta({
        description: 'The teams, at most 100, in which the user is the last administrator among several members.',
      }),
    }),
    summary: 'Read when the account of the signed-in user will be deleted',
    tag: 'extension',
    errors: [],
  }),
  request: endpoint({
    method: 'POST',
    path: '/extensions/account-deletion',
    access: 'client',
    user: 'required',
    response: z.strictObject({
      deletes_at_millis: millis.nullable().meta({ description: 'Null: the account is deleted.' }),
    }),
    recordsItsChange: true,
    summary: 'Delete the account of the signed-in user, or schedule the deletion',
    tag: 'extension',
    errors: ['REAUTHENTICATION_REQUIRED', 'LAST_TEAM_ADMIN'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/extensions/account-deletion',
    access: 'client',
    user: 'required',
    response: success,
    recordsItsChange: true,
    summary: 'Keep the account of the signed-in user',
    tag: 'extension',
    errors: [],
  }),
};

/** Extensions: owners of a project see and cancel the scheduled deletion of a user. */
export const userDeletionEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/internal/extensions/users/{user_id}/deletion',
    access: 'admin',
    params: userParams,
    query: noQuery,
    response: z.strictObject({ scheduled }),
    summary: 'Read when the account of a user will be deleted',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/internal/extensions/users/{user_id}/deletion',
    access: 'admin',
    params: userParams,
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Cancel the scheduled deletion of a user',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
};
