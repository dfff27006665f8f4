import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Badge, buttonClass, Skeleton } from '@tessera/ui';
import { PenLine, Send } from 'lucide-react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject, useRole } from '../../../data/owner.tsx';
import { EmailsHeader } from '../emails-header.tsx';
import { type Message, messagesQuery } from '../queries.ts';
import { words as emailWords } from '../words.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails/messages')({ component: MessageList });

function MessageList() {
  const query = useQuery(messagesQuery(useProject()));
  return (
    <>
      <EmailsHeader />
      <div className="tss:flex tss:flex-wrap tss:items-center tss:justify-between tss:gap-3">
        <p className="tss:max-w-160 tss:text-sm tss:text-muted-foreground">{words.hint}</p>
        <ComposeLink />
      </div>
      {query.isPending && <Skeleton className="tss:h-60" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data?.length === 0 && (
        <EmptyState title={words.empty} icon={<Send aria-hidden />}>
          {words.emptyText}
        </EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <ul
          aria-label={emailWords.messages}
          className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:overflow-hidden tss:rounded-xl tss:border tss:border-border tss:bg-card"
        >
          {query.data.map(message => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      )}
    </>
  );
}

function ComposeLink() {
  const { id: projectId } = useProject();
  const content = (
    <>
      <PenLine aria-hidden size={16} />
      {words.compose}
    </>
  );
  // A link cannot be disabled.
  if (useRole() === 'viewer') return <ChangeButton>{content}</ChangeButton>;
  return (
    <Link to="/projects/$projectId/emails/messages/new" params={{ projectId }} className={buttonClass()}>
      {content}
    </Link>
  );
}

function MessageRow({ message }: { readonly message: Message }) {
  const { id: projectId } = useProject();
  return (
    <li className="tss:relative tss:flex tss:min-h-16 tss:flex-wrap tss:items-center tss:gap-x-4 tss:gap-y-1 tss:border-t tss:border-border tss:px-4 tss:py-3 tss:first:border-t-0 tss:hover:bg-accent">
      <span className="tss:grid tss:min-w-[min(100%,12rem)] tss:flex-1">
        <Link
          to="/projects/$projectId/emails/messages/$messageId"
          params={{ projectId, messageId: message.id }}
          className="tss:line-clamp-1 tss:break-all tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
        >
          {message.subject}
        </Link>
        <span className="tss:text-sm tss:text-muted-foreground">
          {words.audiences[message.audience.type]} · {message.notificationCategoryName} ·{' '}
          <RelativeTime at={message.createdAt} />
        </span>
      </span>
      <span className="tss:text-sm tss:text-muted-foreground">
        {words.progress(message.accepted, message.recipients)}
      </span>
      <MessageState message={message} />
    </li>
  );
}

/** Whether a message is still being queued. */
export function MessageState({ message: { state, failed } }: { readonly message: Message }) {
  if (failed > 0) return <Badge tone="destructive">{`${words.failed}: ${failed.toLocaleString('en')}`}</Badge>;
  return <Badge tone={state === 'sent' ? 'primary' : 'neutral'}>{words.state[state]}</Badge>;
}
