import { useQueryClient } from '@tanstack/react-query';
import type { InvitedRole } from '@tessera/client';
import { Field, isEmail } from '@tessera/ui';
import { toast } from 'sonner';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { EmailInput } from '../../../components/form/email-input.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
import { invitationsQuery } from '../queries.ts';
import { words as all } from '../words.ts';
import { RoleField } from './role-field.tsx';

const words = all.members;
const initial: { email: string; role: InvitedRole } = { email: '', role: 'viewer' };

/** Emails an invitation to manage the project. */
export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial,
    validate: ({ email }) => ({ email: isEmail(email) ? undefined : common.form.emailWrong }),
    submit: async ({ email, role }) => {
      const address = email.trim();
      await project.app.inviteProjectMember({ email: address, role });
      await cache.invalidateQueries({ queryKey: invitationsQuery(project).queryKey });
      toast.success(words.sent(address));
      onClose();
    },
  });

  return (
    <EditDialog title={words.inviteTitle} onClose={onClose}>
      <DialogForm form={form} label={words.send} onClose={onClose}>
        <Field label={words.email} description={words.inviteHint} error={form.errors.email}>
          <EmailInput value={form.values.email} onChange={event => form.set('email', event.target.value)} />
        </Field>
        <RoleField value={form.values.role} onChange={role => form.set('role', role)} />
      </DialogForm>
    </EditDialog>
  );
}
