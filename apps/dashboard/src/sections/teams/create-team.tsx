import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { useProject } from '../../data/owner.tsx';
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
      await navigate({
        to: '/projects/$projectId/teams/$teamId',
        params: { projectId: project.id, teamId: team.id },
        ignoreBlocker: true,
      });
    },
  });

  return (
    <EditDialog title={words.create} onClose={onClose}>
      <DialogForm form={form} label={words.create} onClose={onClose}>
        <Field label={words.displayName} error={form.errors.displayName}>
          <Input
            autoComplete="off"
            value={form.values.displayName}
            onChange={event => form.set('displayName', event.target.value)}
          />
        </Field>
      </DialogForm>
    </EditDialog>
  );
}
