import { defaultLimits, type ProjectLimits } from '@tessera/client';
import { Field, Input } from '@tessera/ui';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { type FieldErrors, useForm } from '../../../components/form/use-form.ts';
import { policies } from '../policies/policies.ts';
import { PolicyPanel } from '../policies/policy-panel.tsx';
import { usePolicyChange } from '../policies/use-policy-change.ts';
import { words } from '../words.ts';
import { readLimit } from './limit-values.ts';

type LimitName = keyof ProjectLimits;

const names: readonly LimitName[] = [
  'failedSignInsPerAccount',
  'failedSignInsPerAddress',
  'signUpsPerAddress',
  'emailsPerRecipient',
  'emailsPerAddress',
  'emailsPerProject',
];

/** How many attempts are allowed. */
export function LimitsPanel() {
  const { title, description } = words.limits;
  return (
    <PolicyPanel policy={policies.limits} title={title} description={description} className="tss:lg:col-span-2">
      {fields => <LimitsForm fields={fields} />}
    </PolicyPanel>
  );
}

function LimitsForm({ fields }: { readonly fields: ProjectLimits }) {
  const { save } = usePolicyChange(policies.limits);
  const form = useForm<Record<LimitName, string>>({
    initial: forEachLimit(name => String(fields[name] ?? '')),
    validate: values => forEachLimit(name => (readLimit(values[name]) === undefined ? words.limits.wrong : undefined)),
    submit: (values, onlyChanged) => save(onlyChanged(forEachLimit(name => readLimit(values[name]) ?? null))),
  });
  const errors: FieldErrors<Record<LimitName, string>> = form.errors;
  return (
    <SettingsForm form={form}>
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-end tss:gap-4 tss:sm:grid-cols-2">
        {names.map(name => (
          <Field key={name} label={words.limits[name]} error={errors[name]}>
            <Input
              inputMode="numeric"
              autoComplete="off"
              placeholder={words.limits.default(defaultLimits[name])}
              value={form.values[name]}
              onChange={event => form.set(name, event.target.value)}
            />
          </Field>
        ))}
      </div>
    </SettingsForm>
  );
}

function forEachLimit<Value>(limitFrom: (name: LimitName) => Value): Record<LimitName, Value> {
  return Object.fromEntries(names.map(name => [name, limitFrom(name)])) as Record<LimitName, Value>;
}
