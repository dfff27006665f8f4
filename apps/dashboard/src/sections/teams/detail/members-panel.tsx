import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Avatar, Button, buttonClass, Field, Input, initialsOf } from '@tessera/ui';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { panelStep, ShowMore } from '../../../components/page/show-more.tsx';
import { useProject } from '../../../data/owner.tsx';
import { userName } from '../../users/user-name.ts';
import { type Member, memberPermissionsQuery, membersQuery, renewTeams, type Team } from '../queries.ts';
import { words } from '../words.ts';
import { AddMember } from './add-member.tsx';
import { filterMembers } from './filter-members.ts';
import { MemberGrants } from './member-grants.tsx';

type Open = { readonly dialog: 'add' } | { readonly dialog: 'grants' | 'remove'; readonly member: Member };

/** Who is in the team, with the permissions of each. */
export function MembersPanel({ team }: { readonly team: Team }) {
  const project = useProject();
  const options = membersQuery(project, team);
  const cache = useQueryClient();
  const [text, setText] = useState('');
  const [shownCount, setShownCount] = useState(panelStep);
  const [open, setOpen] = useState<Open>();
  const { data: members = [] } = useQuery(options);
  const shown = useQuery({ ...options, select: all => filterMembers(all, text).slice(0, shownCount) });
  const matchCount = filterMembers(members, text).length;
  const close = () => setOpen(undefined);

  async function remove(member: Member) {
    await team.removeUser(member.id);
    await renewTeams(cache, project);
    toast.success(words.members.removed(userName(member)));
  }

  return (
    <Panel
      title={words.members.title}
      className="tss:lg:col-span-2"
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setOpen({ dialog: 'add' })}>
          <UserPlus aria-hidden size={16} />
          {words.members.add}
        </ChangeButton>
      }
    >
      {members.length > panelStep && (
        <Field label={words.members.filter}>
          <Input type="search" autoComplete="off" value={text} onChange={event => setText(event.target.value)} />
        </Field>
      )}
      <PanelList
        query={shown}
        itemKey={member => member.id}
        empty={members.length === 0 ? words.members.empty : words.members.noMatch}
      >
        {member => (
          <MemberRow
            team={team}
            member={member}
            onGrants={() => setOpen({ dialog: 'grants', member })}
            onRemove={() => setOpen({ dialog: 'remove', member })}
          />
        )}
      </PanelList>
      {members.length > 0 && (
        <ShowMore
          text={words.members.count(Math.min(matchCount, shownCount), members.length)}
          label={words.members.showMore}
          hasMore={matchCount > shownCount}
          onMore={() => setShownCount(shownCount + panelStep)}
        />
      )}
      {open?.dialog === 'add' && <AddMember team={team} members={members} onClose={close} />}
      {open?.dialog === 'grants' && <MemberGrants team={team} member={open.member} onClose={close} />}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={words.members.removeTitle(userName(open.member))}
          confirmLabel={words.members.remove}
          onConfirm={() => remove(open.member)}
          onClose={close}
        >
          <p>{words.members.removeText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

interface MemberRowProps {
  readonly team: Team;
  readonly member: Member;
  readonly onGrants: () => void;
  readonly onRemove: () => void;
}

function MemberRow({ team, member, onGrants, onRemove }: MemberRowProps) {
  const project = useProject();
  const name = userName(member);
  return (
    <>
      <Avatar src={member.profileImageUrl} initials={initialsOf(name)} size={28} />
      <span className="tss:grid tss:min-w-0 tss:flex-auto tss:basis-40">
        <Link
          to="/projects/$projectId/users/$userId"
          params={{ projectId: project.id, userId: member.id }}
          className={buttonClass({ variant: 'link' }, 'tss:justify-self-start tss:wrap-anywhere')}
        >
          {name}
        </Link>
        {member.primaryEmail !== null && member.primaryEmail !== name && (
          <span dir="ltr" className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
            {member.primaryEmail}
          </span>
        )}
      </span>
      <Grants team={team} member={member} />
      <Button variant="secondary" size="sm" aria-label={words.members.permissionsOf(name)} onClick={onGrants}>
        {words.members.permissions}
      </Button>
      <ChangeButton variant="secondary" size="sm" aria-label={words.members.removeNamed(name)} onClick={onRemove}>
        {words.members.remove}
      </ChangeButton>
    </>
  );
}

/** What a member has in the team directly: the role, where the project has roles. */
function Grants({ team, member }: Pick<MemberRowProps, 'team' | 'member'>) {
  const { data } = useQuery(memberPermissionsQuery(useProject(), team, member));
  if (data === undefined) return null;
  return (
    <span className="tss:max-w-60 tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
      {data.length === 0 ? words.members.noPermission : data.join(', ')}
    </span>
  );
}
