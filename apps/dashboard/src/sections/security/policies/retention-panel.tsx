import { type AuditLogSettings, defaultRetentionDays } from '@tessera/client';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { words } from '../words.ts';
import { ChoiceField } from './choice-field.tsx';
import { policies } from './policies.ts';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicyChange } from './use-policy-change.ts';

const choices = [30, 90, 180, 365, 730, 3_650];

/** How long the audit log is kept. */
export function RetentionPanel() {
  const { title, description } = words.retention;
  return (
    <PolicyPanel policy={policies.retention} title={title} description={description}>
      {fields => <RetentionForm fields={fields} />}
    </PolicyPanel>
  );
}

function RetentionForm({ fields }: { readonly fields: AuditLogSettings }) {
  const { save } = usePolicyChange(policies.retention);
  const form = useForm<AuditLogSettings>({
    initial: fields,
    submit: (values, onlyChanged) => save(onlyChanged(values)),
  });
  return (
    <SettingsForm form={form}>
      <ChoiceField
        label={words.retention.label}
        choices={choices}
        choiceWords={words.duration.days}
        nullWords={words.retention.default(words.duration.days(defaultRetentionDays))}
        value={form.values.retentionDays}
        onChange={value => form.set('retentionDays', value)}
      />
    </SettingsForm>
  );
}
