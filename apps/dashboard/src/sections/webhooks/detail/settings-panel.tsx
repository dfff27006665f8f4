import { useQueryClient } from '@tanstack/react-query';
import { Switch } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeFields } from '../../../components/form/change-fields.tsx';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { EndpointFields } from '../endpoint-fields.tsx';
import { endpointChanges, endpointErrors, endpointValues } from '../endpoint-form.ts';
import { type Endpoint, endpointsQuery } from '../queries.ts';
import { words } from '../words.ts';

/** State, URL, description and events of an endpoint. */
export function SettingsPanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  const cache = useQueryClient();
  const save = async (changes: Parameters<typeof project.app.updateWebhookEndpoint>[1]) => {
    await project.app.updateWebhookEndpoint(endpoint.id, changes);
    toast.success(words.saved);
    await cache.invalidateQueries({ queryKey: endpointsQuery(project).queryKey });
  };
  const form = useForm({
    initial: endpointValues(endpoint),
    validate: endpointErrors,
    submit: (values, onlyChanged) => save(endpointChanges(values, onlyChanged)),
  });

  return (
    <Panel title={words.settings}>
      <ChangeFields>
        <Switch
          label={words.isEnabled}
          description={words.isEnabledHint}
          checked={!endpoint.disabled}
          onChange={isEnabled => {
            save({ disabled: !isEnabled }).catch((error: unknown) => toast.error(problemWords(error)));
          }}
        />
      </ChangeFields>
      <SettingsForm form={form}>
        <EndpointFields form={form} />
      </SettingsForm>
    </Panel>
  );
}
