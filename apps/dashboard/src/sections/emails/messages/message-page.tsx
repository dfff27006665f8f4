import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { ContentSkeleton } from '../../../components/page/content-skeleton.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { ProgressBar } from '../../../components/progress-bar.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useOwner, useProject } from '../../../data/owner.tsx';
import { Preview } from '../editor/preview.tsx';
import { emailsKey, isBeingSent, type Message, messageQuery } from '../queries.ts';
import { messageRoute } from '../routes.ts';
import { BackToMessages } from './back-to-messages.tsx';
import { MessageState } from './message-list.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails/messages/$messageId')({
  component: MessagePage,
});

function MessagePage() {
  const { messageId } = messageRoute.useParams();
  const query = useQuery(messageQuery(useProject(), messageId));
  return (
    <>
      <BackToMessages />
      {query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && <FoundMessage message={query.data} />}
    </>
  );
}

function FoundMessage({ message }: { readonly message: Message }) {
  const project = useProject();
  const { subject, content, notificationCategoryName } = message;
  return (
    <>
      <PageHeader
        title={subject}
        description={<MessageState message={message} />}
        actions={isBeingSent(message) && message.state !== 'canceled' && <CancelButton message={message} />}
      />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:xl:grid-cols-2">
        <ProgressPanel message={message} />
        <Panel title={words.text}>
          <Preview
            queryKey={[...emailsKey(project), 'preview', 'message', message.id]}
            load={() => project.app.previewMessage({ subject, content, notificationCategoryName })}
          />
        </Panel>
      </div>
    </>
  );
}

function ProgressPanel({ message }: { readonly message: Message }) {
  const { id: projectId } = useProject();
  const { recipients, queued, waiting, accepted, failed } = message;
  const numbers = [
    [words.recipients, recipients],
    [words.queued, queued],
    [words.waiting, waiting],
    [words.accepted, accepted],
    [words.failed, failed],
  ] as const;
  return (
    <Panel title={words.progressTitle}>
      <ProgressBar
        label={words.progress(accepted, recipients)}
        max={Math.max(recipients, 1)}
        value={accepted + failed}
      />
      <dl className="tss:grid tss:gap-2 tss:text-sm">
        {numbers.map(([label, value]) => (
          <Fact key={label} label={label}>
            <span className="tss:tabular-nums">{value.toLocaleString('en')}</span>
          </Fact>
        ))}
        <Fact label={words.audienceType}>{words.audiences[message.audience.type]}</Fact>
        <Fact label={words.category}>{message.notificationCategoryName}</Fact>
        <Fact label={words.sentBy}>
          <Sender message={message} />
        </Fact>
        <Fact label={words.sentAt}>
          <RelativeTime at={message.createdAt} />
        </Fact>
      </dl>
      <Link
        to="/projects/$projectId/emails"
        params={{ projectId }}
        search={{ message: message.id }}
        className={buttonClass({ variant: 'link' }, 'tss:justify-self-start tss:text-sm')}
      >
        {words.openLog}
      </Link>
    </Panel>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="tss:flex tss:justify-between tss:gap-4">
      <dt className="tss:text-muted-foreground">{label}</dt>
      <dd className="tss:text-end">{children}</dd>
    </div>
  );
}

function Sender({ message: { createdBy } }: { readonly message: Message }) {
  const owner = useOwner();
  if (createdBy.id === owner.id) return <>{words.you}</>;
  return <>{words.actor[createdBy.type] ?? createdBy.type}</>;
}

function CancelButton({ message }: { readonly message: Message }) {
  const project = useProject();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);

  async function cancel() {
    await project.app.cancelMessage(message.id);
    toast.success(words.canceled);
    await cache.invalidateQueries({ queryKey: emailsKey(project) });
  }

  return (
    <>
      <ChangeButton variant="secondary" onClick={() => setAsking(true)}>
        {words.cancel}
      </ChangeButton>
      {isAsking && (
        <ConfirmDialog
          title={words.cancelTitle}
          confirmLabel={words.cancel}
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        >
          <p>{words.cancelText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
