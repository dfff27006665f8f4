import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Field, Select } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { FormFailure } from '../../../components/form/form-failure.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type Endpoint, type EventType, eventTypesQuery, webhooksKey } from '../queries.ts';
import { words } from '../words.ts';

/** Sends an invented event to the endpoint. */
export function ExamplePanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  const cache = useQueryClient();
  const types = useQuery(eventTypesQuery(project));
  const form = useForm({
    initial: { eventType: endpoint.eventTypes?.[0] ?? ('user.created' as EventType) },
    submit: async ({ eventType }) => {
      await project.app.sendWebhookExample(endpoint.id, eventType);
      toast.success(words.resent);
      await cache.invalidateQueries({ queryKey: webhooksKey(project) });
    },
  });

  return (
    <Panel title={words.example} description={endpoint.disabled ? words.exampleOff : words.exampleHint}>
      <form noValidate className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
        <Field label={words.event}>
          <Select
            value={form.values.eventType}
            onChange={event => form.set('eventType', event.target.value as EventType)}
          >
            {(types.data ?? [form.values.eventType]).map(type => (
              <option key={type}>{type}</option>
            ))}
          </Select>
        </Field>
        <ChangeButton
          type="submit"
          variant="secondary"
          className="tss:justify-self-start"
          busy={form.isBusy}
          disabled={endpoint.disabled}
        >
          {words.sendExample}
        </ChangeButton>
      </form>
    </Panel>
  );
}
