import { useQueryClient } from '@tanstack/react-query';
import type { InvitedRole, ProjectMember } from '@tessera/client';
import { toast } from 'sonner';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
import { userName } from '../../users/user-name.ts';
import { renewMembers } from '../queries.ts';
import { words as all } from '../words.ts';
import { RoleField } from './role-field.tsx';

const words = all.members;

interface ChangeRoleProps {
  readonly member: ProjectMember;
  readonly onClose: () => void;
}

/** Changes the role of a member who is not an owner. */
export function ChangeRole({ member, onClose }: ChangeRoleProps) {
  const project = useProject();
  const cache = useQueryClient();
  const name = userName(member);
  const initial: { role: InvitedRole } = { role: member.role === 'admin' ? 'admin' : 'viewer' };
  const form = useForm({
    initial,
    submit: async ({ role }) => {
      await project.app.updateProjectMember(member.userId, { role });
      await renewMembers(cache, project);
      toast.success(words.roleChanged(name));
      onClose();
    },
  });

  return (
    <EditDialog title={words.changeRoleOf(name)} onClose={onClose}>
      <DialogForm form={form} label={common.action.save} disabled={!form.isChanged} onClose={onClose}>
        <RoleField value={form.values.role} onChange={role => form.set('role', role)} />
      </DialogForm>
    </EditDialog>
  );
}
