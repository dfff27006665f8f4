import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Checkbox, Dialog, Skeleton } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { FormFailure } from '../../../components/form/form-failure.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
import { explainPermissions } from '../../users/explain-permissions.ts';
import { userName } from '../../users/user-name.ts';
import { type Member, memberGrantsQuery, renewTeams, type Team } from '../queries.ts';
import { words } from '../words.ts';
import { planGrants } from './plan-grants.ts';

interface MemberGrantsProps {
  readonly team: Team;
  readonly member: Member;
  readonly onClose: () => void;
}

type Grants = Awaited<ReturnType<NonNullable<ReturnType<typeof memberGrantsQuery>['queryFn']>>>;

/** Grants and revokes the permissions of a member in the team. */
export function MemberGrants(props: MemberGrantsProps) {
  const query = useQuery(memberGrantsQuery(useProject(), props.team, props.member));
  return (
    <Dialog title={words.members.permissionsOf(userName(props.member))} onClose={props.onClose}>
      {query.isPending && <Skeleton className="tss:h-64" />}
      {query.isError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && <GrantsForm {...props} {...query.data} />}
    </Dialog>
  );
}

function GrantsForm({ team, member, onClose, definitions, direct }: MemberGrantsProps & Grants) {
  const project = useProject();
  const cache = useQueryClient();
  // What another admin grants or revokes meanwhile stays.
  const [opened] = useState(direct);
  const form = useForm({
    initial: { wanted: opened },
    submit: async ({ wanted }) => {
      const { grant, revoke } = planGrants(opened, wanted);
      try {
        for (const id of grant) await member.grantPermission(team, id);
        for (const id of revoke) await member.revokePermission(team, id);
      } finally {
        await renewTeams(cache, project);
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
    <form noValidate className="tss:grid tss:gap-4" onSubmit={form.onSubmit}>
      <FormFailure failure={form.failure} />
      <p className="tss:text-sm tss:text-muted-foreground">{words.grants.hint}</p>
      <div className="tss:grid">
        {definitions.length === 0 && <p className="tss:text-sm">{words.grants.none}</p>}
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
      </div>
      <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
        <Button variant="secondary" onClick={onClose}>
          {common.action.cancel}
        </Button>
        <ChangeButton type="submit" busy={form.isBusy} disabled={!form.isChanged}>
          {common.action.save}
        </ChangeButton>
      </div>
    </form>
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
