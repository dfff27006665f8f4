import { type Answer, messageEndpoints, messagesListed } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { PacedTurns } from '../../../http/paced-turns.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, transaction } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../../platform/rate-limits/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Projects } from '../../projects/index.ts';
import { findCategoryByName, type NotificationCategory } from '../notifications/index.ts';
import { readBlocks, refuseBroken } from '../previews/routes.ts';
import { listVariables, messageSamples } from '../previews/samples.ts';
import type { Sender } from '../queue/attempts.ts';
import { deleteMessageCopies, deleteUnusedBodies } from '../queue/store.ts';
import type { MailContent } from '../rendering/content.ts';
import { type Rendered, renderMessageBlocks } from '../rendering/render.ts';
import { projectName } from '../templates/names.ts';
import { createMessage } from './creation.ts';
import { countReachable } from './rules.ts';
import { countAudience, lockMessage, type MessageProgress, selectMessages, updateProgress } from './store.ts';
import { decryptMessage } from './text.ts';
import { messageView } from './wire.ts';

export interface MessageRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly rateLimits: RateLimits;
  readonly projects: Projects;
}

interface MessageRoutesOptions {
  /** The sender of emails of a project. */
  readonly senderOf: (project: Project) => Sender;
  readonly inTurn: PacedTurns;
}

const sampleUnsubscribeUrl = 'https://example.com/unsubscribe';

/** docs/contract/decisions.md#email-templates-and-messages */
export function messageRoutes(deps: MessageRoutesDeps, { senderOf, inTurn }: MessageRoutesOptions): BoundRoute[] {
  const { db, clock, secrets } = deps;
  return [
    bind(messageEndpoints.preview, async ({ project, body }) => {
      const category = categoryNamed(body.notification_category_name);
      const rendered = await inTurn(project.id, () => {
        const text = { subject: body.subject, content: readBlocks(body.content) };
        return renderSample({ project, category, sender: senderOf(project) }, text);
      });
      return { ...rendered, variables: listVariables(messageSamples, projectName(project.displayName)) };
    }),

    bind(messageEndpoints.countAudience, async ({ project, body: { audience, notification_category_name: name } }) => {
      const counts = await countAudience(db, project.id, { audience, category: categoryNamed(name) });
      const { matching, withoutAddress, unsubscribed } = counts;
      return { matching, reachable: countReachable(counts), without_address: withoutAddress, unsubscribed };
    }),

    bind(messageEndpoints.create, async call => {
      const { project, body } = call;
      const category = categoryNamed(body.notification_category_name);
      const { subject, audience, content } = body;
      const draft = { subject, content, audience, category, expectedRecipients: body.expected_recipients };
      assertOwnServer(project);
      // A message that cannot be rendered is refused now, not for each user.
      await inTurn(project.id, () =>
        renderSample({ project, category, sender: senderOf(project) }, { subject, content: readBlocks(content) }),
      );
      return view(await createMessage(call, draft, deps));
    }),

    bind(messageEndpoints.list, async ({ project }) => {
      const found = await selectMessages(db, project.id, { limit: messagesListed });
      return {
        items: found.map(view),
        is_paginated: false,
      } as const;
    }),

    bind(messageEndpoints.read, ({ project, params: { id } }) => loadMessage(db, project.id, id)),

    bind(messageEndpoints.cancel, async call => {
      const { project } = call;
      const { id } = call.params;
      return transaction(db, async tx => {
        const message = await lockMessage(tx, project.id, id);
        if (message === undefined || message.state === 'canceled') return loadMessage(tx, project.id, id);
        const removed = await deleteMessageCopies(tx, project.id, id);
        // Every copy has left the queue: there is nothing to cancel.
        if (message.state === 'sent' && removed === 0) return loadMessage(tx, project.id, id);
        const { lastUserId } = message;
        await updateProgress(tx, project.id, { id, state: 'canceled', queued: message.queued - removed, lastUserId });
        await deleteUnusedBodies(tx, project.id);
        const event = { action: 'message.canceled', subject: { type: 'message', id }, details: { removed } } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event, atMillis: clock.now() });
        return loadMessage(tx, project.id, id);
      });
    }),
  ];

  async function loadMessage(from: Queryable, projectId: string, id: string): Promise<MessageAnswer> {
    const [row] = await selectMessages(from, projectId, { id, limit: 1 });
    return row === undefined ? refuse(404, 'There is no such message.') : view(row);
  }

  function view(row: MessageProgress): MessageAnswer {
    return messageView(row, decryptMessage(row.encrypted, secrets));
  }
}

type MessageAnswer = Answer<typeof messageEndpoints.read>;

/** The installation's server sends only templates, unless the operator allows more. @throws a 400 */
export function assertOwnServer({ config: { emailConfig, sharedServerSendsToUsers } }: Project): void {
  if (emailConfig.type === 'shared' && !sharedServerSendsToUsers) {
    refuse(400, 'To send emails to users, configure a mail server for the project.');
  }
}

/** @throws a 404 when there is no category of this name */
export function categoryNamed(name: string): NotificationCategory {
  return findCategoryByName(name) ?? refuse(404, 'There is no notification category of this name.');
}

function renderSample(
  { project, category, sender }: { project: Project; category: NotificationCategory; sender: Sender },
  text: { subject: string; content: MailContent },
): Promise<Rendered> {
  const { displayName, config } = project;
  const unsubscription = category.canDisable ? { url: sampleUnsubscribeUrl, categoryName: category.name } : undefined;
  const frame = {
    projectName: projectName(displayName),
    senderAddress: sender.from.address,
    branding: config.branding,
    message: { unsubscription },
  };
  return refuseBroken(() => renderMessageBlocks(text, { ...messageSamples, frame }));
}
