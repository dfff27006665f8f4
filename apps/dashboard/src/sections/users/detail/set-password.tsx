import { passwordMinLength } from '@tessera/client/internals';
import { Field } from '@tessera/ui';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { SecretInput } from '../../../components/form/secret-input.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import type { User } from '../queries.ts';
import { words } from '../words.ts';
import { methodWords } from './method-words.ts';
import type { UserChange } from './use-user-change.ts';

interface SetPasswordProps {
  readonly user: User;
  readonly apply: UserChange['apply'];
  readonly onClose: () => void;
}

/** Sets the password of a user, who then signs in with it. */
export function SetPassword({ user, apply, onClose }: SetPasswordProps) {
  const title = user.hasPassword ? methodWords.changePassword : methodWords.setPassword;
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => {
      // As in the sign-up of users, although the server takes shorter ones from an owner.
      if (password.length < passwordMinLength) return { password: methodWords.passwordShort };
      return user.primaryEmail === null ? { password: methodWords.passwordNeedsAddress } : {};
    },
    submit: async ({ password }) => {
      await apply(async () => {
        const refusal = await user.setPassword({ password });
        if (refusal !== undefined) throw refusal;
      }, methodWords.passwordSaved);
      onClose();
    },
  });

  return (
    <EditDialog title={title} onClose={onClose}>
      <DialogForm form={form} label={title} onClose={onClose}>
        <p className="tss:text-sm tss:text-muted-foreground">{methodWords.passwordText}</p>
        <Field label={words.password} error={form.errors.password}>
          <SecretInput
            autoComplete="new-password"
            value={form.values.password}
            onChange={event => form.set('password', event.target.value)}
          />
        </Field>
      </DialogForm>
    </EditDialog>
  );
}
