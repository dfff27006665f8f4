import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { listOf, noQuery, userIdOrMe, uuid } from '../../fields/fields.ts';

/** Fixed, and the same in all projects, in the order of lists (docs/contract/users.md#notification-categories). */
export const notificationCategories = [
  { id: '7bb82d33-2f54-4a3d-9d23-82739e0d66ef', name: 'Transactional', isOnByDefault: true, canDisable: false },
  { id: '4f6f8873-3d04-46bd-8bef-18338b1a1b4c', name: 'Marketing', isOnByDefault: true, canDisable: true },
] as const;

const preference = z.strictObject({
  notification_category_id: uuid,
  notification_category_name: z.string(),
  enabled: z.boolean(),
  can_disable: z.boolean(),
});

/** docs/contract/users.md#notification-categories */
export const notificationEndpoints = {
  listPreferences: endpoint({
    method: 'GET',
    path: '/emails/notification-preference/{user_id}',
    access: 'client',
    params: z.strictObject({ user_id: userIdOrMe }),
    query: noQuery,
    response: listOf(preference),
    summary: 'List the notification categories of a user, always in the same order',
    tag: 'Emails',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_AUTHENTICATION_REQUIRED', 'USER_NOT_FOUND'],
  }),
  updatePreference: endpoint({
    method: 'PATCH',
    path: '/emails/notification-preference/{user_id}/{category_id}',
    access: 'client',
    params: z.strictObject({ user_id: userIdOrMe, category_id: uuid }),
    query: noQuery,
    body: z.strictObject({ enabled: z.boolean() }),
    response: preference,
    summary: 'Switch a notification category on or off for a user',
    tag: 'Emails',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_AUTHENTICATION_REQUIRED', 'USER_NOT_FOUND'],
  }),
  unsubscribe: endpoint({
    method: 'GET',
    path: '/emails/unsubscribe-link',
    access: 'none',
    // Users open this in a browser: a truncated link gets a page, not a list of violations.
    query: z.object({ code: z.string().optional() }),
    response: z.string(),
    produces: 'html',
    summary: 'The page behind the unsubscribe link of an email; with an access type the request itself unsubscribes',
    tag: 'Emails',
    errors: ['VERIFICATION_CODE_NOT_FOUND', 'VERIFICATION_CODE_EXPIRED'],
  }),
  /** The form of the page, and one-click unsubscription of mail programs (RFC 8058). */
  unsubscribeByPost: endpoint({
    method: 'POST',
    path: '/emails/unsubscribe-link',
    access: 'none',
    query: z.object({
      code: z.string().optional(),
      action: z.enum(['unsubscribe', 'resubscribe']).optional().meta({
        description: 'Of the buttons of a used link: changes the choice again until the link expires.',
      }),
    }),
    ignoresBody: true,
    response: z.string(),
    produces: 'html',
    summary: 'Unsubscribe by the link of an email',
    tag: 'extension',
    errors: [],
  }),
};
