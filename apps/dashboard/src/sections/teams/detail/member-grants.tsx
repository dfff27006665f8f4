import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Skeleton } from '@tessera/ui';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { userName } from '../../users/user-name.ts';
import { type Member, memberGrantsQuery, renewTeams, type Team } from '../queries.ts';
import { words } from '../words.ts';
import { GrantsForm } from './grants-form.tsx';

interface MemberGrantsProps {
  readonly team: Team;
  readonly member: Member;
  readonly onClose: () => void;
}

/** Grants and revokes the permissions of a member in the team. */
export function MemberGrants({ team, member, onClose }: MemberGrantsProps) {
  const project = useProject();
  const cache = useQueryClient();
  const query = useQuery(memberGrantsQuery(project, team, member));
  return (
    <EditDialog title={words.members.permissionsOf(userName(member))} onClose={onClose}>
      {query.isPending && <Skeleton className="tss:h-64" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && (
        <GrantsForm
          {...query.data}
          none={words.grants.none}
          grant={id => member.grantPermission(team, id)}
          revoke={id => member.revokePermission(team, id)}
          renew={() => renewTeams(cache, project)}
          onClose={onClose}
        />
      )}
    </EditDialog>
  );
}
