import {
  type Answer,
  emailEndpoints,
  emailExtensionEndpoints,
  sentEmailPageDefault,
  sentEmailReadMax,
  sentEmailsListed,
  userAccessRecentSignInMs,
  waitingEmailPageDefault,
} from '@tessera/protocol';
import type { Caller } from '../../../core/caller.ts';
import { cursorOf, type PagePosition, pageOf, positionOf } from '../../../core/page-cursor.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { isRecentOwner } from '../../accounts/users/index.ts';
import { assertOwnServer } from '../messages/routes.ts';
import { mailSubjectPurpose } from '../queue/attempts.ts';
import { bulkEmailTemplate } from '../queue/bulk-email.ts';
import { selectWaitingPage } from '../queue/waiting-store.ts';
import { selectLog } from '../store.ts';
import { sentEmail, waitingEmail } from '../wire.ts';
import { withoutCodes } from './rules.ts';
import { loadFollowup, type SendingAgainDeps, sendAgain } from './sending-again.ts';
import { type LogRow, selectLogged, selectLogPage, selectPositionBehind } from './store.ts';

export type EmailLogRoutesDeps = SendingAgainDeps;

/** docs/contract/emails-webhooks-metrics.md#sent-email-log, docs/contract/decisions.md#email-templates-and-messages */
export function emailLogRoutes(deps: EmailLogRoutesDeps): BoundRoute[] {
  const { db } = deps;
  return [
    bind(emailEndpoints.listSent, async call => {
      const subjectOf = await createSubjectReader(call, deps);
      const log = await selectLog(db.reads, call.project.id, sentEmailsListed);
      return { items: log.map(email => sentEmail(email, subjectOf(email))), is_paginated: false } as const;
    }),

    bind(emailExtensionEndpoints.listLog, async call => {
      const { project, query } = call;
      const { limit = sentEmailPageDefault, cursor, user_id: userId, message_id: messageId, recipient, state } = query;
      const at = cursor === undefined ? undefined : positionOf(cursor);
      const filter = { userId, messageId, recipient, state };
      const subjectOf = await createSubjectReader(call, deps);
      const listing = { filter, at, readMax: sentEmailReadMax };
      const found = await selectLogPage(db, project.id, { ...listing, limit: limit + 1 });
      const behind = found[limit];
      const next = behind === undefined ? await selectPositionBehind(db, project.id, listing) : placeOf(behind);
      return {
        items: found.slice(0, limit).map(row => view(row, subjectOf)),
        is_paginated: true,
        pagination: { next_cursor: next === undefined ? null : cursorOf(next) },
      } as const;
    }),

    bind(emailExtensionEndpoints.readLog, async call => {
      const row = await findLogged(call.project.id, call.params.id);
      return entryView(row, call.project.id, await createSubjectReader(call, deps));
    }),

    bind(emailExtensionEndpoints.sendAgain, async call => {
      const row = await findLogged(call.project.id, call.params.id);
      // The server of the installation sends only templates.
      if (row.template === bulkEmailTemplate || row.messageId !== null) assertOwnServer(call.project);
      await sendAgain(call, row, deps);
      return entryView(row, call.project.id, await createSubjectReader(call, deps));
    }),

    bind(
      emailExtensionEndpoints.listWaiting,
      async ({ project, query: { limit = waitingEmailPageDefault, cursor } }) => {
        const at = cursor === undefined ? undefined : positionOf(cursor);
        const found = await selectWaitingPage(db, project.id, { at, limit: limit + 1 });
        const { rows, nextCursor } = pageOf(found, limit);
        return { items: rows.map(waitingEmail), is_paginated: true, pagination: { next_cursor: nextCursor } } as const;
      },
    ),
  ];

  async function findLogged(projectId: string, id: string): Promise<LogRow> {
    return (await selectLogged(db, projectId, id)) ?? refuse(404, 'There is no such email in the log.');
  }

  async function entryView(row: LogRow, projectId: string, subjectOf: SubjectOf): Promise<EntryAnswer> {
    const { resending, nextAttemptAtMillis } = await loadFollowup(db, projectId, row);
    return { ...view(row, subjectOf), template: row.template, resending, next_attempt_at_millis: nextAttemptAtMillis };
  }
}

type EntryAnswer = Answer<typeof emailExtensionEndpoints.readLog>;
type SubjectOf = (email: { readonly subject: Buffer }) => string;

/**
 * A code in a subject opens the account of the user, or makes the sign-in of the person recent. So a person whose sign-in
 * is old sees subjects without codes (control 68).
 */
async function createSubjectReader(
  { ownerId, ownerSessionId }: Pick<Caller, 'ownerId' | 'ownerSessionId'>,
  deps: EmailLogRoutesDeps,
): Promise<SubjectOf> {
  const seesCodes = ownerId === undefined || (await isRecentOwner(ownerSessionId, userAccessRecentSignInMs, deps));
  return ({ subject }) => {
    const text = deps.secrets.decrypt(mailSubjectPurpose, subject).toString();
    return seesCodes ? text : withoutCodes(text);
  };
}

function placeOf({ sentAtMillis, number }: LogRow): PagePosition {
  return { atMillis: sentAtMillis, id: String(number) };
}

function view(row: LogRow, subjectOf: SubjectOf): Answer<typeof emailExtensionEndpoints.listLog>['items'][number] {
  return { ...sentEmail(row, subjectOf(row)), user_id: row.userId, message_id: row.messageId };
}
