import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Checkbox, Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { EmailInput } from '../../../components/form/email-input.tsx';
import { SecretInput } from '../../../components/form/secret-input.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { usersKey } from '../queries.ts';
import { userName } from '../user-name.ts';
import { words } from '../words.ts';
import { AddressFailure } from './address-failure.tsx';
import { createWords } from './create-words.ts';
import { initialUser, newUserOptions, newUserProblems } from './new-user.ts';

/** Creates a user and opens their page. */
export function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: initialUser,
    validate: newUserProblems,
    submit: async values => {
      const user = await project.app.createUser(newUserOptions(values, project.config));
      await cache.invalidateQueries({ queryKey: usersKey(project) });
      toast.success(createWords.created(userName(user)));
      onClose();
      await navigate({
        to: '/projects/$projectId/users/$userId',
        params: { projectId: project.id, userId: user.id },
        ignoreBlocker: true,
      });
    },
  });

  return (
    <EditDialog title={createWords.title} onClose={onClose}>
      <DialogForm
        form={form}
        label={words.create}
        failure={<AddressFailure failure={form.failure} onLeave={onClose} />}
        onClose={onClose}
      >
        <Field label={words.email} error={form.errors.email}>
          <EmailInput value={form.values.email} onChange={event => form.set('email', event.target.value)} />
        </Field>
        <Checkbox
          label={<VerifiedLabel isVerified={form.values.isVerified} />}
          checked={form.values.isVerified}
          onChange={event => form.set('isVerified', event.target.checked)}
        />
        <Field label={words.displayName}>
          <Input
            autoComplete="off"
            value={form.values.displayName}
            onChange={event => form.set('displayName', event.target.value)}
          />
        </Field>
        {project.config.credentialEnabled && (
          <Field label={words.password} description={createWords.passwordHint}>
            <SecretInput
              autoComplete="new-password"
              value={form.values.password}
              onChange={event => form.set('password', event.target.value)}
            />
          </Field>
        )}
      </DialogForm>
    </EditDialog>
  );
}

function VerifiedLabel({ isVerified }: { readonly isVerified: boolean }) {
  return (
    <span className="tss:grid">
      {createWords.emailVerified}
      <span className="tss:text-xs tss:text-muted-foreground">
        {isVerified ? createWords.verifiedHint : createWords.unverifiedHint}
      </span>
    </span>
  );
}
