import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject, useRole } from '../../../data/owner.tsx';
import { StateBadge } from '../../emails/columns.tsx';
import { emailsOfUserQuery } from '../../emails/queries.ts';
import type { User } from '../queries.ts';
import { detailWords } from './detail-words.ts';

interface EmailsProps {
  readonly user: User;
}

/** The newest emails to a user, each with a link to its entry in the log. A viewer reads and writes no emails. */
export function EmailsPanel({ user }: EmailsProps) {
  return useRole() === 'viewer' ? null : <Emails user={user} />;
}

function Emails({ user }: EmailsProps) {
  const project = useProject();
  const { id: projectId } = project;
  const query = useQuery(emailsOfUserQuery(project, user.id));
  const look = buttonClass({ variant: 'link' }, 'tss:text-sm');
  return (
    <Panel
      title={detailWords.emails}
      actions={
        <span className="tss:flex tss:flex-wrap tss:gap-4">
          <Link to="/projects/$projectId/emails" params={{ projectId }} search={{ user: user.id }} className={look}>
            {detailWords.allEmails}
          </Link>
          {user.primaryEmail !== null && (
            <Link
              to="/projects/$projectId/emails/messages/new"
              params={{ projectId }}
              search={{ user: user.id }}
              className={look}
            >
              {detailWords.writeEmail}
            </Link>
          )}
        </span>
      }
    >
      <PanelList query={query} itemKey={email => email.id} empty={detailWords.noEmails}>
        {email => (
          <>
            <Link
              to="/projects/$projectId/emails"
              params={{ projectId }}
              search={{ user: user.id, email: email.id }}
              className="tss:min-w-0 tss:flex-1 tss:line-clamp-1 tss:break-all tss:font-medium tss:hover:underline"
            >
              {email.subject}
            </Link>
            <span className="tss:text-xs tss:text-muted-foreground">
              <RelativeTime at={email.sentAt} />
            </span>
            <StateBadge email={email} />
          </>
        )}
      </PanelList>
    </Panel>
  );
}
