import { type Answer, emailExtensionEndpoints, sentEmailPageDefault } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { mailSubjectPurpose } from '../queue/attempts.ts';
import { sentEmail } from '../wire.ts';
import { cursorOf, positionOf } from './rules.ts';
import { type LogRow, selectLogged, selectLogPage } from './store.ts';

export interface EmailLogRoutesDeps {
  readonly db: Database;
  readonly secrets: Secrets;
}

/** docs/contract/decisions.md#email-templates-and-messages */
export function emailLogRoutes({ db, secrets }: EmailLogRoutesDeps): BoundRoute[] {
  return [
    bind(emailExtensionEndpoints.listLog, async ({ project, query }) => {
      const { limit = sentEmailPageDefault, cursor, user_id: userId, message_id: messageId, state } = query;
      const at = cursor === undefined ? undefined : positionOf(cursor);
      const filter = { userId, messageId, state };
      const found = await selectLogPage(db, project.id, { filter, at, limit: limit + 1 });
      const next = found[limit];
      return {
        items: found.slice(0, limit).map(view),
        is_paginated: true,
        pagination: { next_cursor: next === undefined ? null : cursorOf(next) },
      } as const;
    }),

    bind(emailExtensionEndpoints.readLog, async ({ project, params: { id } }) => {
      const row = await selectLogged(db, project.id, id);
      return row === undefined ? refuse(404, 'There is no such email in the log.') : view(row);
    }),
  ];

  function view(row: LogRow): Answer<typeof emailExtensionEndpoints.readLog> {
    const subject = secrets.decrypt(mailSubjectPurpose, row.subject).toString();
    return { ...sentEmail(row, subject), user_id: row.userId, message_id: row.messageId };
  }
}
