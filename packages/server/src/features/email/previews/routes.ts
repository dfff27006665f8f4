import { randomUUID } from 'node:crypto';
import { type EmailTemplateType, emailExtensionEndpoints, fail, type Json } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { PacedTurns } from '../../../http/paced-turns.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { mailUses, type RateLimits, testEmailUses } from '../../../platform/rate-limits/index.ts';
import { holdCallerSession, normalizedEmail } from '../../accounts/users/index.ts';
import { assertKeyUsable, type Projects } from '../../projects/index.ts';
import { logAttempt, type Sender } from '../queue/attempts.ts';
import { selectOwnTemplate } from '../queue/store.ts';
import { mailContentOf } from '../rendering/content.ts';
import { type Rendered, renderEmailStrictly } from '../rendering/render.ts';
import { ContentError } from '../templates/blocks.ts';
import type { MailTemplate } from '../templates/mail-template.ts';
import { projectName } from '../templates/names.ts';
import { defaultTemplate } from '../templates/templates.ts';
import { listVariables, templateSamples } from './samples.ts';

export interface PreviewRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly rateLimits: RateLimits;
  readonly projects: Projects;
}

interface PreviewRoutesOptions {
  /** The sender of emails of a project. */
  readonly senderOf: (project: Project) => Sender;
  readonly inTurn: PacedTurns;
}

/** docs/contract/decisions.md#email-templates-and-messages */
export function emailPreviewRoutes(deps: PreviewRoutesDeps, { senderOf, inTurn }: PreviewRoutesOptions): BoundRoute[] {
  return [
    bind(emailExtensionEndpoints.previewTemplate, async ({ project, params: { type }, body }) => {
      const sample = { project, type, sender: senderOf(project) };
      const rendered = await inTurn(project.id, () => renderSample(sample, templateOf(body)));
      return { ...rendered, variables: listVariables(templateSamples[type], projectName(project.displayName)) };
    }),

    bind(emailExtensionEndpoints.testTemplate, async call => {
      const { project, body } = call;
      const { type } = call.params;
      const isOwnText = body.subject !== undefined || body.content !== undefined;
      // The installation's server sends no text of a project to an address that the caller chooses.
      if (isOwnText && project.config.emailConfig.type === 'shared') {
        refuse(400, 'To send a text of your own, configure a mail server for the project.');
      }
      // The stored text is the project's too, and where everyone may create projects the recipient may be a stranger.
      const ofRecipient = project.capsMailLimits
        ? mailUses(call, normalizedEmail(body.recipient_email), 'invitation')
        : [];
      await deps.rateLimits.spend([...ofRecipient, ...testEmailUses(project.id)]);
      const sender = senderOf(project);
      const stored = (await selectOwnTemplate(deps.db, project.id, type)) ?? defaultTemplate(type);
      const template = templateOf({ subject: body.subject ?? stored.subject, content: body.content ?? stored.content });
      const rendered = await inTurn(project.id, () => renderSample({ project, type, sender }, template));
      // The access of the caller may have ended while the template waited for its turn.
      await assertKeyUsable(call, deps.projects);
      await transaction(deps.db, tx => holdCallerSession(tx, call, deps));
      const { from, transport, type: senderType } = sender;
      const message = { id: randomUUID(), projectId: project.id, from, to: body.recipient_email, ...rendered };
      const failure = await transport.send(message);
      await logAttempt(deps.db, { message, type: senderType, server: transport.server, failure }, deps);
      if (failure === null) return { success: true } as const;
      return { success: false, error_message: failure.message } as const;
    }),
  ];
}

function templateOf({ subject, content }: { subject: string; content: Json }): MailTemplate {
  return { subject, content: readBlocks(content) };
}

/** The blocks of a request. Refuses a block that an email cannot have. */
export function readBlocks(content: Json): MailTemplate['content'] {
  return mailContentOf(content) ?? fail('EMAIL_RENDERING_ERROR', { error: 'a block has a value that is not allowed' });
}

interface Sample {
  readonly project: Project;
  readonly type: EmailTemplateType;
  readonly sender: Sender;
}

function renderSample({ project, type, sender }: Sample, template: MailTemplate): Promise<Rendered> {
  const { displayName: projectDisplayName, config } = project;
  const variables = templateSamples[type];
  const { address: senderAddress } = sender.from;
  return refuseBroken(() =>
    renderEmailStrictly(
      { template: type, variables, projectDisplayName, senderAddress, branding: config.branding },
      template,
    ),
  );
}

/** A document that cannot be rendered is an error of the caller. */
export async function refuseBroken<T>(render: () => Promise<T>): Promise<T> {
  try {
    return await render();
  } catch (error) {
    if (error instanceof ContentError) fail('EMAIL_RENDERING_ERROR', { error: error.message });
    throw error;
  }
}
