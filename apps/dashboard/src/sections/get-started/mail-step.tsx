import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass, FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { apiBaseUrl } from '../../config.ts';
import { type OwnedProject, useOwner, useProject, useRole } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { rootRoute } from '../../routes/root.tsx';
import { Step } from './step.tsx';
import { words } from './words.ts';

/** The newest email that a mail server accepted. */
function acceptedQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'get-started', 'accepted-email'],
    queryFn: async () => (await project.app.listEmailLog({ state: 'accepted', limit: 1 }))[0] ?? null,
  });
}

/** Sends a test email to the owner. Done when the mail server has accepted an email of the project. */
export function MailStep() {
  const project = useProject();
  const { primaryEmail } = useOwner();
  const cache = useQueryClient();
  const options = acceptedQuery(project);
  // The log of emails is not for viewers.
  const { data: email } = useQuery({ ...options, enabled: useRole() !== 'viewer' });
  const [problem, setProblem] = useState<string>();
  const isDone = Boolean(email);
  const { config } = rootRoute.useRouteContext();
  const mayBeCaught = config.mode === 'development' && project.config.emailConfig.type === 'shared';

  async function send(recipientEmail: string) {
    setProblem(undefined);
    try {
      const sent = await project.app.sendTemplateTestEmail('sign_in_invitation', { recipientEmail });
      if (sent.status === 'error') setProblem(sent.error.errorMessage);
    } catch (error) {
      setProblem(problemWords(error));
    }
    await cache.invalidateQueries({ queryKey: options.queryKey });
  }

  return (
    <Step number={6} title={words.mail} isDone={isDone}>
      <p className="tss:text-sm tss:text-muted-foreground">
        {email ? (
          <>
            {words.mailDone(email.recipient)} <RelativeTime at={email.sentAt} />.
          </>
        ) : (
          words.mailText
        )}
      </p>
      {mayBeCaught && <p className="tss:text-sm tss:text-muted-foreground">{words.mailCaught}</p>}
      {problem !== undefined && <FormSummary title={words.mailFailed}>{problem}</FormSummary>}
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-4">
        {primaryEmail === null ? (
          <p className="tss:text-sm">{words.mailNoAddress}</p>
        ) : (
          <ChangeButton
            size="sm"
            variant={isDone ? 'secondary' : 'primary'}
            className="tss:wrap-anywhere"
            onClick={() => send(primaryEmail)}
          >
            {words.sendMail(primaryEmail)}
          </ChangeButton>
        )}
        <Link
          to="/projects/$projectId/emails/server"
          params={{ projectId: project.id }}
          className={buttonClass({ variant: 'link' }, 'tss:text-sm')}
        >
          {words.openServer}
        </Link>
        {mayBeCaught && (
          <a
            href={`${apiBaseUrl(config, window.location.origin)}/dev/mail`}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: 'link' }, 'tss:text-sm')}
          >
            {words.openCatcher}
          </a>
        )}
      </div>
    </Step>
  );
}
