import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, Dialog, Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { teamsKey } from './queries.ts';
import { words } from './words.ts';

/** Creates an empty team and opens its page. */
export function CreateTeam({ onClose }: { readonly onClose: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { displayName: '' },
    validate: ({ displayName }) => (displayName.trim() ? {} : { displayName: words.needsName }),
    submit: async ({ displayName }) => {
      const team = await project.app.createTeam({ displayName: displayName.trim() });
      await cache.invalidateQueries({ queryKey: teamsKey(project) });
      toast.success(words.created(shownName(team.displayName)));
      onClose();
      await navigate({ to: '/projects/$projectId/teams/$teamId', params: { projectId: project.id, teamId: team.id } });
    },
  });

  return (
    <Dialog title={words.create} onClose={onClose}>
      <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
        <Field label={words.displayName} error={form.errors.displayName}>
          <Input
            autoComplete="off"
            value={form.values.displayName}
            onChange={event => form.set('displayName', event.target.value)}
          />
        </Field>
        <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
          <Button variant="secondary" onClick={onClose}>
            {common.action.cancel}
          </Button>
          <ChangeButton type="submit" busy={form.isBusy}>
            {words.create}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
