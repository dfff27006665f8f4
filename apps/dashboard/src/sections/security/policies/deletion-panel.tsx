import type { AccountDeletionSettings } from '@tessera/client';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { words } from '../words.ts';
import { ChoiceField } from './choice-field.tsx';
import { policies } from './policies.ts';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicyChange } from './use-policy-change.ts';

const choices = [1, 3, 7, 14, 30];

/** How long users can keep an account that they have deleted. */
export function DeletionPanel() {
  const { title, description } = words.deletion;
  return (
    <PolicyPanel policy={policies.deletion} title={title} description={description}>
      {fields => <DeletionForm fields={fields} />}
    </PolicyPanel>
  );
}

function DeletionForm({ fields }: { readonly fields: AccountDeletionSettings }) {
  const { save } = usePolicyChange(policies.deletion);
  const form = useForm<AccountDeletionSettings>({
    initial: fields,
    submit: (values, onlyChanged) => save(onlyChanged(values)),
  });
  const { coolingOffDays: days } = form.values;
  return (
    <SettingsForm form={form}>
      <ChoiceField
        label={words.deletion.label}
        choices={choices}
        choiceWords={words.duration.days}
        nullWords={words.deletion.atOnce}
        value={days === 0 ? null : days}
        onChange={value => form.set('coolingOffDays', value ?? 0)}
      />
    </SettingsForm>
  );
}
