import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Avatar, initialsOf } from '@tessera/ui';
import { CopyField } from '../../components/code/copy-field.tsx';
import { MetadataPanel } from '../../components/code/metadata-panel.tsx';
import { BackLink } from '../../components/page/back-link.tsx';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { NotFound } from '../../components/page/not-found.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../data/owner.tsx';
import { openPagePollMs } from '../../data/query-client.ts';
import { DeletePanel } from './detail/delete-panel.tsx';
import { InvitationsPanel } from './detail/invitations-panel.tsx';
import { KeysPanel } from './detail/keys-panel.tsx';
import { MembersPanel } from './detail/members-panel.tsx';
import { ProfilePanel } from './detail/profile-panel.tsx';
import { type Team, teamQuery, teamsKey } from './queries.ts';
import { teamRoute } from './routes.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/teams/$teamId')({ component: TeamPage });

function TeamPage() {
  const project = useProject();
  const { teamId } = teamRoute.useParams();
  const query = useQuery({ ...teamQuery(project, teamId), refetchInterval: openPagePollMs });

  return (
    <>
      <BackLink to="/projects/$projectId/teams" params={{ projectId: project.id }}>
        {words.back}
      </BackLink>
      {query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data === null && <NotFound title={words.notFound}>{words.notFoundText}</NotFound>}
      {query.data && <FoundTeam key={query.data.id} team={query.data} />}
    </>
  );
}

function FoundTeam({ team }: { readonly team: Team }) {
  const project = useProject();
  const cache = useQueryClient();

  async function saveMetadata(changes: Parameters<Team['update']>[0]) {
    await team.update(changes);
    await cache.invalidateQueries({ queryKey: teamsKey(project) });
  }

  return (
    <>
      <div className="tss:flex tss:items-center tss:gap-4">
        <Avatar src={team.profileImageUrl} initials={initialsOf(team.displayName)} size={56} />
        <PageHeader
          title={team.displayName}
          description={
            <>
              {words.column.created} <RelativeTime at={team.createdAt} />
            </>
          }
        />
      </div>
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        <MembersPanel team={team} />
        <InvitationsPanel team={team} />
        <KeysPanel team={team} />
        <ProfilePanel team={team} />
        <Panel title={words.id}>
          <CopyField label={words.idLabel} value={team.id} copyLabel={words.copyId} />
        </Panel>
        <MetadataPanel
          metadata={team}
          hints={words.metadataHint}
          readStored={() => cache.fetchQuery({ ...teamQuery(project, team.id), staleTime: 0 })}
          onSave={saveMetadata}
        />
        <DeletePanel team={team} />
      </div>
    </>
  );
}
