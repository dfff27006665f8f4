import { useQuery } from '@tanstack/react-query';
import { Badge, Checkbox, Skeleton } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig } from '../../data/update-project.ts';
import { words as common } from '../../words.ts';
import { planGrants } from '../teams/detail/plan-grants.ts';
import { changeIds } from './change-ids.ts';
import { type Definition, definitionsQuery, type Scope } from './queries.ts';
import { words } from './words.ts';

const scopes = {
  teamCreatorDefaultPermissions: 'team',
  teamMemberDefaultPermissions: 'team',
  userDefaultPermissions: 'project',
} as const satisfies Record<string, Scope>;
type DefaultSet = keyof typeof scopes;
const sets = Object.keys(scopes) as DefaultSet[];

/** What is granted without asking: to creators of teams, to members, to users. */
export function DefaultsPanel() {
  const { config } = useProject();
  const [editing, setEditing] = useState<DefaultSet>();
  return (
    <Panel title={words.defaults.title} description={words.defaults.hint} className="tss:lg:col-span-2">
      <dl className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
        {sets.map(set => (
          <div
            key={set}
            className="tss:flex tss:min-h-12 tss:flex-wrap tss:items-center tss:gap-x-3 tss:gap-y-1 tss:border-t tss:border-border tss:py-2 tss:text-sm tss:first:border-t-0"
          >
            <dt className="tss:w-full tss:sm:w-64">{words.defaults.set[set]}</dt>
            <dd className="tss:flex tss:min-w-0 tss:flex-1 tss:flex-wrap tss:items-center tss:gap-2">
              {config[set].length === 0 && <span className="tss:text-muted-foreground">{words.defaults.none}</span>}
              {config[set].map(({ id }) => (
                <Badge key={id} className="tss:font-mono">
                  {id}
                </Badge>
              ))}
              <ChangeButton
                variant="secondary"
                size="sm"
                className="tss:ms-auto"
                aria-label={words.defaults.editNamed(words.defaults.set[set])}
                onClick={() => setEditing(set)}
              >
                {words.defaults.edit}
              </ChangeButton>
            </dd>
          </div>
        ))}
      </dl>
      {editing && <DefaultSetDialog set={editing} onClose={() => setEditing(undefined)} />}
    </Panel>
  );
}

interface DefaultSetProps {
  readonly set: DefaultSet;
  readonly onClose: () => void;
}

function DefaultSetDialog({ set, onClose }: DefaultSetProps) {
  const query = useQuery(definitionsQuery(useProject(), scopes[set]));
  return (
    <EditDialog title={words.defaults.set[set]} onClose={onClose}>
      {query.isPending && <Skeleton className="tss:h-64" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && <DefaultSetForm set={set} definitions={query.data} onClose={onClose} />}
    </EditDialog>
  );
}

function DefaultSetForm({
  set,
  definitions,
  onClose,
}: DefaultSetProps & { readonly definitions: readonly Definition[] }) {
  const { config } = useProject();
  const changeConfig = useChangeConfig();
  const [opened] = useState(() => idsOf(config[set]));
  const form = useForm({
    // The id of a permission that another program has renamed has no checkbox. It grants nothing, and a change removes it.
    initial: { ids: opened.filter(id => definitions.some(one => one.id === id)) },
    submit: async ({ ids }) => {
      await changeConfig(({ [set]: stored }) => {
        const changed = changeIds(idsOf(stored), planGrants(opened, ids));
        return { [set]: changed.map(id => ({ id })) };
      });
      toast.success(words.defaults.saved);
      onClose();
    },
  });
  const { ids } = form.values;

  return (
    <DialogForm form={form} label={common.action.save} disabled={!form.isChanged} onClose={onClose}>
      <div className="tss:grid">
        {definitions.length === 0 && <p className="tss:text-sm tss:text-muted-foreground">{words.empty}</p>}
        {definitions.map(({ id }) => (
          <Checkbox
            key={id}
            checked={ids.includes(id)}
            onChange={({ target }) => form.set('ids', target.checked ? [...ids, id] : ids.filter(one => one !== id))}
            label={<code className="tss:font-mono tss:text-xs tss:font-medium tss:wrap-anywhere">{id}</code>}
          />
        ))}
      </div>
    </DialogForm>
  );
}

function idsOf(permissions: readonly { readonly id: string }[]): readonly string[] {
  return permissions.map(({ id }) => id);
}
