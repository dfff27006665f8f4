import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from './subject.ts';

/** A category of emails, and whether a user receives it. A snapshot. */
export interface NotificationCategory {
  /** Id of the category. */
  readonly id: string;
  /** Name of the category, e.g. `Marketing`. */
  readonly name: string;
  /** Whether the user receives these emails. */
  readonly enabled: boolean;
  /** Whether a page should offer to disable it. */
  readonly canDisable: boolean;
  /** The server accepts this for every category: emails of a disabled one are not sent. */
  setEnabled(enabled: boolean): Promise<void>;
}

/** Reads of a user's notification settings. */
export interface NotificationReads {
  /** The email categories with the user's settings. */
  listNotificationCategories(): Promise<NotificationCategory[]>;
}

type CategoryJson = Reply<Routes['GET /emails/notification-preference/{user_id}'], 'client'>['items'][number];

export function notifications(ctx: Context<UserLevel>): (subject: Subject) => { reads: Reads<NotificationReads> } {
  const { call, resources } = ctx;

  const categories = resources.make('notificationCategories', (session: Subject['session'], userId: string) => ({
    load: async () => {
      const route = 'GET /emails/notification-preference/{user_id}';
      const { items } = await call(route, { params: { user_id: userId }, session });
      return items.map(item => toCategory(item, { session, userId }));
    },
  }));

  function toCategory(wire: CategoryJson, { session, userId }: Subject): NotificationCategory {
    return entity(
      categoryFields(wire),
      {},
      {
        async setEnabled(enabled: boolean) {
          await call('PATCH /emails/notification-preference/{user_id}/{category_id}', {
            params: { user_id: userId, category_id: wire.notification_category_id },
            body: { enabled },
            session,
          });
          await resources.renew('notificationCategories', session, userId);
        },
      },
    );
  }

  return ({ session, userId }) => ({
    reads: { listNotificationCategories: readOf(() => categories.entry(session, userId)) },
  });
}

function categoryFields(wire: CategoryJson) {
  return {
    id: wire.notification_category_id,
    name: wire.notification_category_name,
    enabled: wire.enabled,
    canDisable: wire.can_disable,
  };
}
