import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Avatar, buttonClass, initialsOf } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { teamsQuery, type User } from '../queries.ts';
import { words } from '../words.ts';

/** The teams of a user. */
export function TeamsPanel({ user }: { readonly user: User }) {
  const project = useProject();
  const query = useQuery(teamsQuery(project, user));
  return (
    <Panel title={words.detail.teams}>
      <PanelList query={query} itemKey={team => team.id} empty={words.detail.noTeams}>
        {team => (
          <>
            <Avatar src={team.profileImageUrl} initials={initialsOf(team.displayName)} size={28} />
            <Link
              to="/projects/$projectId/teams/$teamId"
              params={{ projectId: project.id, teamId: team.id }}
              className={buttonClass({ variant: 'link' }, 'tss:min-w-0 tss:flex-1 tss:wrap-anywhere')}
            >
              {team.displayName}
            </Link>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
