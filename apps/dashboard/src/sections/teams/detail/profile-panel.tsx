import { useQueryClient } from '@tanstack/react-query';
import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { FormFailure } from '../../../components/form/form-failure.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
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
      <form noValidate className="tss:grid tss:gap-4" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
        <Field label={words.displayName} error={form.errors.displayName}>
          <Input
            autoComplete="off"
            value={form.values.displayName}
            onChange={event => form.set('displayName', event.target.value)}
          />
        </Field>
        <ChangeButton
          type="submit"
          size="sm"
          className="tss:justify-self-start"
          busy={form.isBusy}
          disabled={!form.isChanged}
        >
          {common.action.save}
        </ChangeButton>
      </form>
    </Panel>
  );
}
