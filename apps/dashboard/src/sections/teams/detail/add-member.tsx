import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Avatar, Badge, Button, Dialog, initialsOf } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { SearchField } from '../../../components/table/search-field.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { words as common } from '../../../words.ts';
import { userName } from '../../users/user-name.ts';
import { candidatesQuery, type Member, renewTeams, type Team } from '../queries.ts';
import { words } from '../words.ts';

interface AddMemberProps {
  readonly team: Team;
  readonly members: readonly Member[];
  readonly onClose: () => void;
}

/** Finds users of the project and adds them to the team, one after another. */
export function AddMember({ team, members, onClose }: AddMemberProps) {
  const project = useProject();
  const cache = useQueryClient();
  const [text, setText] = useState<string>();
  const candidates = useQuery(candidatesQuery(project, text ?? ''));
  const memberIds = new Set(members.map(({ id }) => id));

  async function add(user: Pick<Member, 'id' | 'displayName' | 'primaryEmail'>) {
    try {
      await team.addUser(user.id);
      toast.success(words.members.added(userName(user)));
    } catch (error) {
      toast.error(problemWords(error));
    }
    await renewTeams(cache, project);
  }

  return (
    <Dialog title={words.members.add} onClose={onClose}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.members.findHint}</p>
      <SearchField label={words.members.find} value={text} onSearch={setText} />
      {text !== undefined && (
        <PanelList query={candidates} itemKey={user => user.id} empty={words.members.noUser(text)}>
          {user => {
            const name = userName(user);
            return (
              <>
                <Avatar src={user.profileImageUrl} initials={initialsOf(name)} size={28} />
                <span className="tss:grid tss:min-w-0 tss:flex-1">
                  <span className="tss:wrap-anywhere">{name}</span>
                  {user.primaryEmail !== null && user.primaryEmail !== name && (
                    <span className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">{user.primaryEmail}</span>
                  )}
                </span>
                {memberIds.has(user.id) ? (
                  <Badge>{words.members.isMember}</Badge>
                ) : (
                  <ChangeButton
                    size="sm"
                    variant="secondary"
                    aria-label={words.members.addNamed(name)}
                    onClick={() => add(user)}
                  >
                    {words.members.addOne}
                  </ChangeButton>
                )}
              </>
            );
          }}
        </PanelList>
      )}
      <Button variant="secondary" className="tss:justify-self-end" onClick={onClose}>
        {common.action.done}
      </Button>
    </Dialog>
  );
}
