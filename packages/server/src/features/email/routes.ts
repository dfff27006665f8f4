import { emailEndpoints, fail } from '@tessera/protocol';
import type { Project } from '../../core/project.ts';
import type { Settings } from '../../env.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { type Secrets, sha256 } from '../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../platform/database/database.ts';
import { mailUses, type RateLimits, testEmailUses } from '../../platform/rate-limits/index.ts';
import { normalizedEmail } from '../accounts/users/index.ts';
import { assertTrustedUrl } from '../projects/index.ts';
import { type DigestDeps, loadFailedEmails, sendDigests } from './digest/digest.ts';
import { type EmailLogRoutesDeps, emailLogRoutes } from './log/routes.ts';
import { assertOwnServer, categoryNamed, type MessageRoutesDeps, messageRoutes } from './messages/routes.ts';
import { emailTemplateRoutes, type TemplateRoutesDeps } from './own-templates/routes.ts';
import { emailPreviewRoutes, type PreviewRoutesDeps } from './previews/routes.ts';
import type { Mail } from './queue/index.ts';
import { MarkupError } from './rendering/markup/error.ts';
import { createSanitizer } from './rendering/sanitizer.ts';
import { createRenderingTurns } from './rendering/turns.ts';
import { type SenderDeps, senderOf } from './senders.ts';
import { type SendEmailDeps, sendToUsers } from './sending.ts';
import { renderFramed } from './templates/themes.ts';
import { type TestEmailDeps, tryServer } from './test-email/test-email.ts';
import { digestView, sendingResult, testedServer } from './wire.ts';

type EmailRoutesDeps = DigestDeps &
  EmailLogRoutesDeps &
  MessageRoutesDeps &
  PreviewRoutesDeps &
  SenderDeps &
  Omit<SendEmailDeps, 'sanitize'> &
  TemplateRoutesDeps &
  TestEmailDeps & {
    readonly settings: Pick<Settings, 'cronSecret' | 'mailFrom' | 'mode'>;
    readonly db: Database;
    readonly secrets: Secrets;
    readonly mail: Mail;
    readonly rateLimits: RateLimits;
  };

/** docs/contract/emails-webhooks-metrics.md */
export function emailRoutes(deps: EmailRoutesDeps): BoundRoute[] {
  const inTurn = createRenderingTurns();
  const sanitize = createSanitizer(inTurn);
  const options = { senderOf: (project: Project) => senderOf(project, deps), inTurn };
  return [
    ...emailTemplateRoutes(deps),
    ...emailPreviewRoutes(deps, options),
    ...emailLogRoutes(deps),
    ...messageRoutes(deps, options),

    bind(emailEndpoints.render, async ({ project, body }) => {
      try {
        const { html } = await sanitize(body.preview_html, project.id);
        return { html: renderFramed({ theme: body.theme, html }) };
      } catch (error) {
        if (error instanceof MarkupError) fail('EMAIL_RENDERING_ERROR', { error: error.message });
        throw error;
      }
    }),

    bind(emailEndpoints.send, async call => {
      const { body } = call;
      assertOwnServer(call.project);
      const category = categoryNamed(body.notification_category_name);
      const { user_ids: userIds, subject, html } = body;
      const sendings = await sendToUsers(call, { userIds, subject, html, category }, { ...deps, sanitize });
      return { results: sendings.map(sendingResult) };
    }),

    bind(emailEndpoints.sendSignInInvitation, async call => {
      const { project, body } = call;
      const recipient = normalizedEmail(body.email);
      assertTrustedUrl(body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, recipient, 'invitation'));
      const variables = { signInInvitationLink: body.callback_url };
      const invitation = {
        projectId: project.id,
        template: 'sign_in_invitation',
        recipient,
        variables,
        countsInQuota: !call.source.isOwnMachine,
      } as const;
      await transaction(deps.db, tx => deps.mail.send(tx, invitation));
      return { success: true } as const;
    }),

    bind(emailEndpoints.sendTestEmail, async ({ project, body }) => {
      await deps.rateLimits.spend(testEmailUses(project.id));
      const tested = testedServer(body.email_config);
      const failure = await tryServer({ projectId: project.id, recipient: body.recipient_email, ...tested }, deps);
      if (failure === null) return { success: true } as const;
      return { success: false, error_message: failure.message } as const;
    }),

    bind(emailEndpoints.sendFailureDigest, async ({ headers, query }) => {
      assertScheduler(headers.authorization, deps.settings.cronSecret);
      const failed = await loadFailedEmails(deps);
      if (query.dry_run !== 'true') await sendDigests(failed, deps);
      return digestView(failed);
    }),
  ];
}

/** Compares hashes, so that the time does not reveal the secret. */
function assertScheduler(authorization: string, secret: string | undefined): void {
  if (secret === undefined) refuse(401, 'This installation has no scheduler: TESSERA_CRON_SECRET is not set.');
  if (sha256(authorization).equals(sha256(`Bearer ${secret}`))) return;
  refuse(401, 'Only the scheduler of the installation may ask for this.');
}
