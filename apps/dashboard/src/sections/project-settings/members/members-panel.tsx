import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectMember } from '@tessera/client';
import { Avatar, Badge, Button, initialsOf } from '@tessera/ui';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useOwner, useProject, useRole } from '../../../data/owner.tsx';
import { userName } from '../../users/user-name.ts';
import { membersQuery, renewMembers } from '../queries.ts';
import { words as all } from '../words.ts';
import { ChangeRole } from './change-role.tsx';
import { InviteMember } from './invite-member.tsx';
import { LeaveProject } from './leave-project.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { TransferProject } from './transfer-project.tsx';

const words = all.members;

type Open =
  | { readonly dialog: 'invite' | 'leave' | 'transfer' }
  | { readonly dialog: 'role' | 'remove'; readonly member: ProjectMember };

/** The users who manage the project. Owners change them; others can leave. */
export function MembersPanel() {
  const project = useProject();
  const cache = useQueryClient();
  const isOwner = useRole() === 'owner';
  const query = useQuery(membersQuery(project));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  // The project `internal` has no admins and cannot be transferred.
  const isInternal = project.id === 'internal';
  const heirs = query.data?.filter(({ role }) => role !== 'owner') ?? [];

  async function remove(member: ProjectMember) {
    await project.app.removeProjectMember(member.userId);
    await renewMembers(cache, project);
    toast.success(words.removed(userName(member)));
  }

  return (
    <Panel
      title={words.title}
      description={words.text}
      actions={
        isOwner && (
          <Button size="sm" variant="secondary" onClick={() => setOpen({ dialog: 'invite' })}>
            <UserPlus aria-hidden size={16} />
            {words.invite}
          </Button>
        )
      }
    >
      <PanelList query={query} itemKey={member => member.userId} empty={words.empty}>
        {member => (
          <MemberRow
            member={member}
            onRole={isOwner && !isInternal ? () => setOpen({ dialog: 'role', member }) : undefined}
            onRemove={isOwner ? () => setOpen({ dialog: 'remove', member }) : undefined}
            onLeave={() => setOpen({ dialog: 'leave' })}
          />
        )}
      </PanelList>
      {!isOwner && <p className="tss:text-sm tss:text-muted-foreground">{words.ownersOnly}</p>}
      <OpenInvitations />
      {isOwner && !isInternal && heirs.length > 0 && (
        <Button
          size="sm"
          variant="secondary"
          className="tss:justify-self-start"
          onClick={() => setOpen({ dialog: 'transfer' })}
        >
          {words.transfer}
        </Button>
      )}
      {open?.dialog === 'invite' && <InviteMember onClose={close} />}
      {open?.dialog === 'role' && <ChangeRole member={open.member} onClose={close} />}
      {open?.dialog === 'leave' && <LeaveProject onClose={close} />}
      {open?.dialog === 'transfer' && <TransferProject heirs={heirs} onClose={close} />}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={words.removeTitle(userName(open.member))}
          confirmLabel={words.remove}
          onConfirm={() => remove(open.member)}
          onClose={close}
        >
          <p>{words.removeText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

interface MemberRowProps {
  readonly member: ProjectMember;
  /** Undefined when the signed-in user may not change roles. */
  readonly onRole: (() => void) | undefined;
  /** Undefined when the signed-in user may not remove members. */
  readonly onRemove: (() => void) | undefined;
  readonly onLeave: () => void;
}

function MemberRow({ member, onRole, onRemove, onLeave }: MemberRowProps) {
  const isSelf = useOwner().id === member.userId;
  const name = userName(member);
  const isFixed = member.role === 'owner';
  return (
    <>
      <Avatar src={member.profileImageUrl} initials={initialsOf(name)} size={28} />
      <span className="tss:grid tss:min-w-0 tss:flex-auto tss:basis-40">
        <span className="tss:wrap-anywhere">
          {name} {isSelf && words.you}
        </span>
        {member.primaryEmail !== null && member.primaryEmail !== name && (
          <span dir="ltr" className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
            {member.primaryEmail}
          </span>
        )}
      </span>
      <Badge>{words.roles[member.role]}</Badge>
      {!isFixed && onRole && (
        <Button variant="secondary" size="sm" aria-label={words.changeRoleOf(name)} onClick={onRole}>
          {words.changeRole}
        </Button>
      )}
      {!isFixed && !isSelf && onRemove && (
        <Button variant="secondary" size="sm" aria-label={words.removeNamed(name)} onClick={onRemove}>
          {words.remove}
        </Button>
      )}
      {!isFixed && isSelf && (
        <Button variant="secondary" size="sm" onClick={onLeave}>
          {words.leave}
        </Button>
      )}
    </>
  );
}
