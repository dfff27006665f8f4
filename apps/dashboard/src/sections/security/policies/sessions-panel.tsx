import type { SessionPolicy } from '@tessera/client';
import { sessionLifetimeMs } from '@tessera/client/internals';
import { Checkbox } from '@tessera/ui';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { words } from '../words.ts';
import { ChoiceField } from './choice-field.tsx';
import { dayMs, durationWords, hourMs, minuteMs } from './duration.ts';
import { policies } from './policies.ts';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicyChange } from './use-policy-change.ts';

const lifetimes = [hourMs, 12 * hourMs, dayMs, 7 * dayMs, 30 * dayMs, 90 * dayMs, 365 * dayMs];
const idleTimes = [15 * minuteMs, hourMs, 8 * hourMs, dayMs, 7 * dayMs, 30 * dayMs];
const freshTimes = [5 * minuteMs, 10 * minuteMs, hourMs, dayMs];

/** How long sessions live. */
export function SessionsPanel() {
  const { title, description } = words.sessions;
  return (
    <PolicyPanel policy={policies.sessions} title={title} description={description}>
      {fields => <SessionsForm fields={fields} />}
    </PolicyPanel>
  );
}

function SessionsForm({ fields }: { readonly fields: SessionPolicy }) {
  const { save } = usePolicyChange(policies.sessions);
  const form = useForm<SessionPolicy>({ initial: fields, submit: (values, onlyChanged) => save(onlyChanged(values)) });
  const { values } = form;
  return (
    <SettingsForm form={form}>
      <ChoiceField
        label={words.sessions.lifetime}
        choices={lifetimes}
        choiceWords={durationWords}
        nullWords={words.sessions.lifetimeDefault(durationWords(sessionLifetimeMs))}
        value={values.lifetimeMillis}
        onChange={value => form.set('lifetimeMillis', value)}
      />
      <ChoiceField
        label={words.sessions.idle}
        choices={idleTimes}
        choiceWords={durationWords}
        nullWords={words.sessions.idleDefault}
        value={values.idleLifetimeMillis}
        onChange={value => form.set('idleLifetimeMillis', value)}
      />
      <ChoiceField
        label={words.sessions.fresh}
        description={words.sessions.freshHint}
        choices={freshTimes}
        choiceWords={durationWords}
        nullWords={words.sessions.anyAge}
        value={values.freshSignInWithinMillis}
        onChange={value => form.set('freshSignInWithinMillis', value)}
      />
      <Checkbox
        label={words.sessions.rotates}
        checked={values.rotatesRefreshTokens}
        onChange={event => form.set('rotatesRefreshTokens', event.target.checked)}
      />
    </SettingsForm>
  );
}
