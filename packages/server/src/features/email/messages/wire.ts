import type { Answer, messageEndpoints } from '@tessera/protocol';
import { findCategory } from '../notifications/index.ts';
import type { MessageProgress } from './store.ts';
import type { MessageText } from './text.ts';

/** docs/contract/decisions.md#email-templates-and-messages */
export function messageView(row: MessageProgress, text: MessageText): Answer<typeof messageEndpoints.read> {
  const { queued, waiting, accepted } = row;
  return {
    id: row.id,
    ...text,
    audience: row.audience,
    notification_category_name: findCategory(row.categoryId)?.name ?? '',
    created_at_millis: row.createdAtMillis,
    created_by: { type: row.actorType, id: row.actorId },
    state: row.state,
    recipients: row.recipients,
    queued,
    waiting,
    accepted,
    failed: Math.max(0, queued - waiting - accepted),
  };
}
