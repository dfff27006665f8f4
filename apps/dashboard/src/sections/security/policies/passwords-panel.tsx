import type { PasswordPolicy } from '@tessera/client';
import { Field, Select } from '@tessera/ui';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { words } from '../words.ts';
import { policies } from './policies.ts';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicyChange } from './use-policy-change.ts';

const choices = { '': null, refuse: true, accept: false } as const;

/** Which new passwords are refused. */
export function PasswordsPanel() {
  const { title, description } = words.passwords;
  return (
    <PolicyPanel policy={policies.passwords} title={title} description={description}>
      {fields => <PasswordsForm fields={fields} />}
    </PolicyPanel>
  );
}

function PasswordsForm({ fields }: { readonly fields: PasswordPolicy }) {
  const { save } = usePolicyChange(policies.passwords);
  const form = useForm<PasswordPolicy>({ initial: fields, submit: (values, onlyChanged) => save(onlyChanged(values)) });
  const chosen = Object.entries(choices).find(([, value]) => value === form.values.refusesWeakPasswords)?.[0];
  return (
    <SettingsForm form={form}>
      <Field label={words.passwords.label}>
        <Select
          value={chosen}
          onChange={event => form.set('refusesWeakPasswords', choices[event.target.value as keyof typeof choices])}
        >
          <option value="">{words.passwords.byMode}</option>
          <option value="refuse">{words.passwords.refuse}</option>
          <option value="accept">{words.passwords.accept}</option>
        </Select>
      </Field>
    </SettingsForm>
  );
}
