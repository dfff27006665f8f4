import { Checkbox, Field, isEmail } from '@tessera/ui';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { EmailInput } from '../../../components/form/email-input.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { words as common } from '../../../words.ts';
import type { User } from '../queries.ts';
import { words } from '../words.ts';
import { channelWords } from './channel-words.ts';
import type { UserChange } from './use-user-change.ts';

interface AddChannelProps {
  readonly user: User;
  readonly apply: UserChange['apply'];
  readonly onClose: () => void;
}

const flags = [
  ['isVerified', channelWords.verified],
  ['usedForAuth', channelWords.usedForAuth],
  ['isPrimary', channelWords.primary],
] as const;

/** Adds an address to a user. The first one is the primary address by default. */
export function AddChannel({ user, apply, onClose }: AddChannelProps) {
  const form = useForm({
    initial: { email: '', isVerified: true, usedForAuth: true, isPrimary: user.primaryEmail === null },
    validate: ({ email }) => ({ email: isEmail(email) ? undefined : common.form.emailWrong }),
    submit: async ({ email, ...given }) => {
      const value = email.trim();
      await apply(() => user.createContactChannel({ type: 'email', value, ...given }), channelWords.added(value));
      onClose();
    },
  });

  return (
    <EditDialog title={channelWords.add} onClose={onClose}>
      <DialogForm form={form} label={channelWords.add} onClose={onClose}>
        <Field label={words.email} error={form.errors.email}>
          <EmailInput value={form.values.email} onChange={event => form.set('email', event.target.value)} />
        </Field>
        <div className="tss:grid">
          {flags.map(([name, label]) => (
            <Checkbox
              key={name}
              label={label}
              checked={form.values[name]}
              onChange={event => form.set(name, event.target.checked)}
            />
          ))}
        </div>
      </DialogForm>
    </EditDialog>
  );
}
