import { Checkbox } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeFields } from '../../../components/form/change-fields.tsx';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { words as common } from '../../../words.ts';
import type { Definition } from '../../permissions/queries.ts';
import { explainPermissions } from '../../users/explain-permissions.ts';
import { words } from '../words.ts';
import { planGrants } from './plan-grants.ts';

interface GrantsFormProps {
  readonly definitions: readonly Definition[];
  /** The ids that are granted directly. */
  readonly direct: readonly string[];
  /** The sentence for no definitions. */
  readonly none: string;
  readonly grant: (id: string) => Promise<unknown>;
  readonly revoke: (id: string) => Promise<unknown>;
  /** Reads what shows the permissions again. */
  readonly renew: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Grants and revokes permissions of one user in a team or in the whole project. */
export function GrantsForm({ definitions, direct, none, grant, revoke, renew, onClose }: GrantsFormProps) {
  // What another admin grants or revokes meanwhile stays.
  const [opened] = useState(direct);
  const form = useForm({
    initial: { wanted: opened },
    submit: async ({ wanted }) => {
      const plan = planGrants(opened, wanted);
      try {
        for (const id of plan.grant) await grant(id);
        for (const id of plan.revoke) await revoke(id);
      } finally {
        await renew();
      }
      toast.success(words.grants.saved);
      onClose();
    },
  });
  const { wanted } = form.values;
  // Without the permission itself, to see whether another one contains it.
  const reasonOf = (id: string) =>
    explainPermissions(
      wanted.filter(one => one !== id),
      definitions,
    ).find(one => one.id === id);

  return (
    <DialogForm form={form} label={common.action.save} disabled={!form.isChanged} onClose={onClose}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.grants.hint}</p>
      <div className="tss:grid">
        {definitions.length === 0 && <p className="tss:text-sm">{none}</p>}
        <ChangeFields>
          {definitions.map(({ id, description }) => (
            <Checkbox
              key={id}
              checked={wanted.includes(id)}
              onChange={({ target }) =>
                form.set('wanted', target.checked ? [...wanted, id] : wanted.filter(one => one !== id))
              }
              label={<GrantLabel id={id} description={description} through={reasonOf(id)?.through ?? []} />}
            />
          ))}
        </ChangeFields>
      </div>
    </DialogForm>
  );
}

interface GrantLabelProps {
  readonly id: string;
  readonly description: string | undefined;
  readonly through: readonly string[];
}

function GrantLabel({ id, description, through }: GrantLabelProps) {
  return (
    <span className="tss:grid">
      <code className="tss:font-mono tss:text-xs tss:font-medium tss:wrap-anywhere">{id}</code>
      {description && <span className="tss:text-xs tss:text-muted-foreground">{description}</span>}
      {through.length > 0 && (
        <span className="tss:text-xs tss:text-muted-foreground">{words.grants.contained(through.join(' → '))}</span>
      )}
    </span>
  );
}
