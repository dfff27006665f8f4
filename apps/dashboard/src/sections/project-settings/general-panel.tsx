import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { CopyField } from '../../components/code/copy-field.tsx';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useUpdateProject } from '../../data/update-project.ts';
import { words as common } from '../../words.ts';
import { words } from './words.ts';

/** Name, description and id of the project. */
export function GeneralPanel() {
  const project = useProject();
  const update = useUpdateProject();
  const form = useForm({
    initial: { displayName: project.displayName, description: project.description ?? '' },
    validate: ({ displayName }) => (displayName.trim() === '' ? { displayName: words.nameRequired } : {}),
    submit: async ({ displayName, description }) => {
      await update({ displayName: displayName.trim(), description: description.trim() || null });
      toast.success(words.saved);
    },
  });

  return (
    <Panel title={words.general}>
      <form noValidate className="tss:grid tss:gap-4" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
        <Field label={words.name} description={words.nameHint} error={form.errors.displayName}>
          <Input
            autoComplete="off"
            value={form.values.displayName}
            onChange={event => form.set('displayName', event.target.value)}
          />
        </Field>
        <Field label={words.about} description={words.aboutHint}>
          <Input
            autoComplete="off"
            value={form.values.description}
            onChange={event => form.set('description', event.target.value)}
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
      <CopyField label={words.id} value={project.id} copyLabel={words.copyId} />
    </Panel>
  );
}
