import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Avatar, buttonClass, initialsOf } from '@tessera/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { panelStep, ShowMore } from '../../../components/page/show-more.tsx';
import { shownName } from '../../../data/names/shown-name.ts';
import { useProject } from '../../../data/owner.tsx';
import type { Team } from '../../teams/queries.ts';
import { teamsQuery, type User } from '../queries.ts';
import { AddToTeam } from './add-to-team.tsx';
import { detailWords } from './detail-words.ts';
import { membershipWords } from './membership-words.ts';
import { useUserChange } from './use-user-change.ts';

/** The teams of a user. */
export function TeamsPanel({ user }: { readonly user: User }) {
  const project = useProject();
  const options = teamsQuery(project, user);
  const { data: teams = [] } = useQuery(options);
  const [shownCount, setShownCount] = useState(panelStep);
  const query = useQuery({ ...options, select: all => all.slice(0, shownCount) });
  const { apply } = useUserChange();
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Team>();
  return (
    <Panel
      title={detailWords.teams}
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setAdding(true)}>
          <Plus aria-hidden size={16} />
          {membershipWords.add}
        </ChangeButton>
      }
    >
      <PanelList query={query} itemKey={team => team.id} empty={detailWords.noTeams}>
        {team => (
          <>
            <Avatar src={team.profileImageUrl} initials={initialsOf(team.displayName)} size={28} />
            <Link
              to="/projects/$projectId/teams/$teamId"
              params={{ projectId: project.id, teamId: team.id }}
              className={buttonClass({ variant: 'link' }, 'tss:min-w-0 tss:flex-1 tss:wrap-anywhere')}
            >
              {shownName(team.displayName)}
            </Link>
            <ChangeButton
              size="sm"
              variant="secondary"
              aria-label={membershipWords.removeNamed(shownName(team.displayName))}
              onClick={() => setLeaving(team)}
            >
              {membershipWords.remove}
            </ChangeButton>
          </>
        )}
      </PanelList>
      <ShowMoreTeams shownCount={shownCount} teamCount={teams.length} onChange={setShownCount} />
      {isAdding && <AddToTeam user={user} teams={teams} onClose={() => setAdding(false)} />}
      {leaving && (
        <ConfirmDialog
          title={membershipWords.removeTitle(shownName(leaving.displayName))}
          confirmLabel={membershipWords.remove}
          onConfirm={() =>
            apply(() => leaving.removeUser(user.id), membershipWords.removed(shownName(leaving.displayName)))
          }
          onClose={() => setLeaving(undefined)}
        >
          <p>{membershipWords.removeText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

interface ShowMoreTeamsProps {
  readonly shownCount: number;
  /** The number of all teams of the user. */
  readonly teamCount: number;
  readonly onChange: (shownCount: number) => void;
}

/** The line below the teams of a user who is in more than one step of them. */
export function ShowMoreTeams({ shownCount, teamCount, onChange }: ShowMoreTeamsProps) {
  if (teamCount <= panelStep) return null;
  return (
    <ShowMore
      text={detailWords.teamCount(Math.min(shownCount, teamCount), teamCount)}
      label={detailWords.moreTeams}
      hasMore={teamCount > shownCount}
      onMore={() => onChange(shownCount + panelStep)}
    />
  );
}
