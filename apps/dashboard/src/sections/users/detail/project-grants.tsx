import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Skeleton } from '@tessera/ui';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { GrantsForm } from '../../teams/detail/grants-form.tsx';
import { projectGrantsQuery, type User, usersKey } from '../queries.ts';
import { userName } from '../user-name.ts';
import { detailWords } from './detail-words.ts';

interface ProjectGrantsProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** Grants and revokes the permissions of a user in the whole project. */
export function ProjectGrants({ user, onClose }: ProjectGrantsProps) {
  const project = useProject();
  const cache = useQueryClient();
  const query = useQuery(projectGrantsQuery(project, user));
  return (
    <EditDialog title={detailWords.grants.title(userName(user))} onClose={onClose}>
      {query.isPending && <Skeleton className="tss:h-64" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && (
        <GrantsForm
          {...query.data}
          none={detailWords.grants.none}
          grant={id => user.grantPermission(id)}
          revoke={id => user.revokePermission(id)}
          renew={() => cache.invalidateQueries({ queryKey: usersKey(project) })}
          onClose={onClose}
        />
      )}
    </EditDialog>
  );
}
