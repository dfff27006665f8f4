import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { CopyField } from '../../components/code/copy-field.tsx';
import { SettingsForm } from '../../components/form/settings-form.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useUpdateProject } from '../../data/update-project.ts';
import { words } from './words.ts';

/** Name, description and id of the project. */
export function GeneralPanel() {
  const project = useProject();
  const update = useUpdateProject();
  const form = useForm({
    initial: { displayName: project.displayName, description: project.description ?? '' },
    validate: ({ displayName }) => (displayName.trim() === '' ? { displayName: words.nameRequired } : {}),
    submit: async ({ displayName, description }, onlyChanged) => {
      await update(onlyChanged({ displayName: displayName.trim(), description: description.trim() || null }));
      toast.success(words.saved);
    },
  });

  return (
    <Panel title={words.general}>
      <SettingsForm form={form}>
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
      </SettingsForm>
      <CopyField label={words.id} value={project.id} copyLabel={words.copyId} />
    </Panel>
  );
}
