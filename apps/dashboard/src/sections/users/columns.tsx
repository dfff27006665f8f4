import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { Avatar, Badge, initialsOf } from '@tessera/ui';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { TableFeatures } from '../../components/table/table-features.ts';
import type { Column } from '../../components/table/table-props.ts';
import { useProject } from '../../data/owner.tsx';
import { methodNames } from './methods/method-names.ts';
import type { ListedUser } from './queries.ts';
import { usersRoute } from './routes.ts';
import { userName } from './user-name.ts';
import { words } from './words.ts';

const helper = createColumnHelper<TableFeatures, ListedUser>();

/** The columns of the user list. */
export const userColumns: readonly Column<ListedUser>[] = [
  helper.display({
    id: 'user',
    header: words.column.user,
    cell: ({ row }) => <UserCell user={row.original} />,
    meta: { width: 'minmax(0,2.5fr)' },
  }),
  helper.display({
    id: 'methods',
    header: words.column.methods,
    cell: ({ row }) => <MethodsCell user={row.original} />,
    meta: { width: 'minmax(0,1.5fr)', isWideOnly: true, chooserLabel: words.column.methods },
  }),
  helper.display({
    id: 'signedUp',
    header: words.column.signedUp,
    cell: ({ row }) => <RelativeTime at={row.original.signedUpAt} />,
    meta: { width: '8rem', isWideOnly: true, chooserLabel: words.column.signedUp },
  }),
  helper.display({
    id: 'lastActive',
    header: words.column.lastActive,
    cell: ({ row }) => <RelativeTime at={row.original.wasActive ? row.original.lastActiveAt : null} />,
    meta: { width: '8.5rem', chooserLabel: words.column.lastActive },
  }),
  helper.display({
    id: 'id',
    header: words.column.id,
    cell: ({ row }) => <code className="tss:block tss:truncate tss:font-mono tss:text-xs">{row.original.id}</code>,
    meta: { width: 'minmax(0,1fr)', isWideOnly: true, chooserLabel: words.column.id },
  }),
];

/** The methods that sign a user in. */
function MethodsCell({ user }: { readonly user: ListedUser }) {
  const { config } = useProject();
  return <span className="tss:text-muted-foreground">{methodNames(user, config).join(', ') || '–'}</span>;
}

function UserCell({ user }: { readonly user: ListedUser }) {
  const project = useProject();
  const search = usersRoute.useSearch();
  const name = userName(user);
  return (
    <div className="tss:flex tss:items-center tss:gap-3">
      <Avatar src={user.profileImageUrl} initials={initialsOf(name)} />
      <div className="tss:grid tss:min-w-0 tss:flex-1 tss:grid-cols-[minmax(0,1fr)]">
        <span className="tss:flex tss:min-w-0 tss:flex-wrap tss:items-center tss:gap-x-2">
          {/* The link covers the row, so that a click anywhere in it opens the user. */}
          <Link
            to="/projects/$projectId/users/$userId"
            params={{ projectId: project.id, userId: user.id }}
            state={{ userSearch: search }}
            className="tss:min-w-0 tss:max-w-full tss:line-clamp-2 tss:wrap-anywhere tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
          >
            {name}
          </Link>
          {user.isAnonymous && <Badge>{words.anonymous}</Badge>}
          {user.suspendedAt !== null && <Badge>{words.suspended}</Badge>}
        </span>
        {user.primaryEmail && name !== user.primaryEmail && (
          <span className="tss:truncate tss:text-xs tss:text-muted-foreground">{user.primaryEmail}</span>
        )}
      </div>
    </div>
  );
}
