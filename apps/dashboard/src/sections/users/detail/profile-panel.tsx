import { useQueryClient } from '@tanstack/react-query';
import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type User, usersKey } from '../queries.ts';
import { words } from '../words.ts';
import { detailWords } from './detail-words.ts';

/** The name of a user. */
export function ProfilePanel({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: { displayName: user.displayName ?? '' },
    submit: async ({ displayName }) => {
      await user.update({ displayName: displayName.trim() || null });
      await cache.invalidateQueries({ queryKey: usersKey(project) });
      toast.success(detailWords.saved);
    },
  });

  return (
    <Panel title={detailWords.profile}>
      <SettingsForm form={form}>
        <Field label={words.displayName}>
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
