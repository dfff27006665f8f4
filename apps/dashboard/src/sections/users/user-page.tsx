import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Avatar, Badge, initialsOf } from '@tessera/ui';
import type { ReactNode } from 'react';
import { CopyField } from '../../components/code/copy-field.tsx';
import { MetadataPanel } from '../../components/code/metadata-panel.tsx';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { NotFound } from '../../components/page/not-found.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../data/owner.tsx';
import { openPagePollMs } from '../../data/query-client.ts';
import { BackToUsers } from './back-to-users.tsx';
import { AccessPanel } from './detail/access/access-panel.tsx';
import { ActivityPanel } from './detail/activity-panel.tsx';
import { ChannelsPanel } from './detail/channels-panel.tsx';
import { DeletePanel } from './detail/delete-panel.tsx';
import { detailWords } from './detail/detail-words.ts';
import { EmailsPanel } from './detail/emails-panel.tsx';
import { KeysPanel } from './detail/keys-panel.tsx';
import { MethodsPanel } from './detail/methods-panel.tsx';
import { PermissionsPanel } from './detail/permissions-panel.tsx';
import { ProfilePanel } from './detail/profile-panel.tsx';
import { SessionsPanel } from './detail/sessions-panel.tsx';
import { TeamsPanel } from './detail/teams-panel.tsx';
import { listedUserQuery, type User, userQuery, usersKey } from './queries.ts';
import { userRoute } from './routes.ts';
import { BlockedNotice } from './sign-in-blocks/blocked-notice.tsx';
import { SuspendPanel } from './suspension/suspend-panel.tsx';
import { SuspendedNotice } from './suspension/suspended-notice.tsx';
import { userName } from './user-name.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/users/$userId')({ component: UserPage });

function UserPage() {
  const project = useProject();
  const { userId } = userRoute.useParams();
  // Another admin, or the user, may change or delete the account while its page is open.
  const query = useQuery({ ...userQuery(project, userId), refetchInterval: openPagePollMs });

  return (
    <>
      <BackToUsers />
      {query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data === null && <NotFound title={detailWords.notFound}>{detailWords.notFoundText}</NotFound>}
      {query.data && <FoundUser key={query.data.id} user={query.data} />}
    </>
  );
}

function FoundUser({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const name = userName(user);

  async function saveMetadata(changes: Parameters<User['update']>[0]) {
    await user.update(changes);
    await cache.invalidateQueries({ queryKey: usersKey(project) });
  }

  return (
    <>
      <div className="tss:flex tss:items-center tss:gap-4">
        <Avatar src={user.profileImageUrl} initials={initialsOf(name)} size={56} />
        <PageHeader title={name} description={<Summary user={user} />} />
      </div>
      <SuspendedNotice user={user} />
      <BlockedNotice user={user} />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        <Column>
          <ProfilePanel user={user} />
          <MethodsPanel user={user} />
          <SessionsPanel user={user} />
          <AccessPanel user={user} />
          <EmailsPanel user={user} />
        </Column>
        <Column>
          <ChannelsPanel user={user} />
          <TeamsPanel user={user} />
          <PermissionsPanel user={user} />
          <KeysPanel user={user} />
          <Panel title={detailWords.id}>
            <CopyField label={detailWords.idLabel} value={user.id} copyLabel={detailWords.copyId} />
          </Panel>
        </Column>
        <MetadataPanel
          metadata={user}
          hints={detailWords.metadataHint}
          readStored={() => cache.fetchQuery({ ...userQuery(project, user.id), staleTime: 0 })}
          onSave={saveMetadata}
        />
        <ActivityPanel user={user} />
        <SuspendPanel user={user} />
        <DeletePanel user={user} />
      </div>
    </>
  );
}

function Column({ children }: { readonly children: ReactNode }) {
  return <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">{children}</div>;
}

function Summary({ user }: { readonly user: User }) {
  const { data: listed } = useQuery(listedUserQuery(useProject(), user));
  return (
    <>
      {words.column.signedUp} <RelativeTime at={user.signedUpAt} />
      {listed && (
        <>
          {' · '}
          {words.column.lastActive} <RelativeTime at={listed.wasActive ? listed.lastActiveAt : null} />
        </>
      )}{' '}
      {user.isAnonymous && <Badge>{words.anonymous}</Badge>}
    </>
  );
}
