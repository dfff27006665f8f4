import { Switch } from '@tessera/ui';
import { ChangeFields } from '../../../components/form/change-fields.tsx';
import type { Policy } from './policies.ts';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicyChange } from './use-policy-change.ts';

interface SwitchPanelProps<Name extends string> {
  readonly policy: Policy<Readonly<Record<Name, boolean>>>;
  /** The setting that the switch changes. */
  readonly name: Name;
  readonly words: { readonly title: string; readonly label: string; readonly description: string };
}

/** A group with one switch, which takes effect at once and can be undone. */
export function SwitchPanel<Name extends string>({ policy, name, words }: SwitchPanelProps<Name>) {
  const { apply } = usePolicyChange(policy);
  const settingOf = (checked: boolean) => ({ [name]: checked }) as Readonly<Record<Name, boolean>>;
  return (
    <PolicyPanel policy={policy} title={words.title}>
      {fields => (
        <ChangeFields>
          <Switch
            label={words.label}
            description={words.description}
            checked={fields[name]}
            onChange={checked => void apply(settingOf(checked), settingOf(!checked))}
          />
        </ChangeFields>
      )}
    </PolicyPanel>
  );
}
