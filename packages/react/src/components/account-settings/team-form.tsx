import type { CurrentUser } from '@tessera/client';
import { Field, Input } from '@tessera/ui';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useTranslate } from '../../words/translate.tsx';

interface TeamFormProps {
  user: CurrentUser;
  created: (teamId: string) => void;
}

/** Creates a team. */
export function TeamForm({ user, created }: TeamFormProps) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { name: text => (text.trim() === '' ? 'invalid.nameMissing' : undefined) },
    submit: async ({ name }) => {
      const team = await user.createTeam({ displayName: name.trim() });
      created(team.id);
      return undefined;
    },
  });
  const { name, error } = form.field('name');

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate('team.createSubmit')}>
        <Field label={translate('team.name')} error={error}>
          <Input name={name} autoComplete="organization" aria-required />
        </Field>
      </FormFrame>
    </div>
  );
}
