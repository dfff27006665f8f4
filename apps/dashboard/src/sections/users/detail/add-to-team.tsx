import { useQuery } from '@tanstack/react-query';
import { Avatar, Badge, Button, Dialog, FormSummary, initialsOf } from '@tessera/ui';
import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { SearchField } from '../../../components/table/search-field.tsx';
import { shownName } from '../../../data/names/shown-name.ts';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { words as common } from '../../../words.ts';
import { type Team, teamChoicesQuery } from '../../teams/queries.ts';
import type { User } from '../queries.ts';
import { membershipWords } from './membership-words.ts';
import { useUserChange } from './use-user-change.ts';

interface AddToTeamProps {
  readonly user: User;
  /** The teams of the user. */
  readonly teams: readonly Pick<Team, 'id'>[];
  readonly onClose: () => void;
}

/** Finds teams of the project and adds the user to them, one after another. */
export function AddToTeam({ user, teams, onClose }: AddToTeamProps) {
  const [text, setText] = useState<string>();
  const choices = useQuery(teamChoicesQuery(useProject(), text ?? ''));
  const { failure, run } = useUserChange();
  const memberOf = new Set(teams.map(({ id }) => id));

  return (
    <Dialog title={membershipWords.add} onClose={onClose}>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <SearchField label={membershipWords.find} value={text} onSearch={setText} />
      <PanelList query={choices} itemKey={team => team.id} empty={membershipWords.noTeam(text ?? '')}>
        {team => (
          <>
            <Avatar src={team.profileImageUrl} initials={initialsOf(team.displayName)} size={28} />
            <span className="tss:min-w-0 tss:flex-1 tss:wrap-anywhere">{shownName(team.displayName)}</span>
            {memberOf.has(team.id) ? (
              <Badge>{membershipWords.isMember}</Badge>
            ) : (
              <ChangeButton
                size="sm"
                variant="secondary"
                aria-label={membershipWords.addNamed(shownName(team.displayName))}
                onClick={() => run(() => team.addUser(user.id), membershipWords.added(shownName(team.displayName)))}
              >
                {membershipWords.addOne}
              </ChangeButton>
            )}
          </>
        )}
      </PanelList>
      <Button variant="secondary" className="tss:justify-self-end" onClick={onClose}>
        {common.action.done}
      </Button>
    </Dialog>
  );
}
