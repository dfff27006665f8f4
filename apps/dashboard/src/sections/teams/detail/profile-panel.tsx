import { useQueryClient } from '@tanstack/react-query';
import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { renewTeams, type Team } from '../queries.ts';
import { words } from '../words.ts';

/** The name of a team. */
export function ProfilePanel({ team }: { readonly team: Team }) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: { displayName: team.displayName },
    validate: ({ displayName }) => (displayName.trim() ? {} : { displayName: words.needsName }),
    submit: async ({ displayName }) => {
      await team.update({ displayName: displayName.trim() });
      await renewTeams(cache, project);
      toast.success(words.saved);
    },
  });

  return (
    <Panel title={words.profile}>
      <SettingsForm form={form}>
        <Field label={words.displayName} error={form.errors.displayName}>
          <Input
            autoComplete="off"
            value={form.values.displayName}
            onChange={event => form.set('displayName', event.target.value)}
          />
        </Field>
      </SettingsForm>
    </Panel>
  );
}
