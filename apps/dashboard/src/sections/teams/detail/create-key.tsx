import { useQueryClient } from '@tanstack/react-query';
import { Field, Input, Select } from '@tessera/ui';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { readOneOf } from '../../../data/search-params.ts';
import { type Team, teamKeysQuery } from '../queries.ts';
import { words } from '../words.ts';

interface CreateKeyProps {
  readonly team: Team;
  /** Called with the key, which is not shown again. */
  readonly onCreated: (value: string) => void;
  readonly onClose: () => void;
}

const dayMs = 24 * 3600 * 1000;
const lifetimes = ['30', '90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];

/** Creates an API key of the team. */
export function CreateKey({ team, onCreated, onClose }: CreateKeyProps) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: { description: '', lifetime: '90' as Lifetime },
    validate: ({ description }) => (description.trim() ? {} : { description: words.keys.needsDescription }),
    submit: async ({ description, lifetime }) => {
      const key = await team.createApiKey({
        description: description.trim(),
        expiresAt: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs),
      });
      await cache.invalidateQueries({ queryKey: teamKeysQuery(project, team).queryKey });
      onCreated(key.value);
    },
  });

  return (
    <EditDialog title={words.keys.create} onClose={onClose}>
      <DialogForm form={form} label={words.keys.create} onClose={onClose}>
        <Field label={words.keys.description} error={form.errors.description}>
          <Input
            autoComplete="off"
            value={form.values.description}
            onChange={event => form.set('description', event.target.value)}
          />
        </Field>
        <Field label={words.keys.lifetime}>
          <Select
            value={form.values.lifetime}
            onChange={event => form.set('lifetime', readOneOf(event.target.value, lifetimes) ?? '90')}
          >
            {lifetimes.map(lifetime => (
              <option key={lifetime} value={lifetime}>
                {words.keys.lifetimes[lifetime]}
              </option>
            ))}
          </Select>
        </Field>
      </DialogForm>
    </EditDialog>
  );
}
