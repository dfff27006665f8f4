import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { Avatar, initialsOf } from '@tessera/ui';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { TableFeatures } from '../../components/table/table-features.ts';
import type { Column } from '../../components/table/table-props.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { useProject } from '../../data/owner.tsx';
import type { Team } from './queries.ts';
import { words } from './words.ts';

const helper = createColumnHelper<TableFeatures, Team>();

/** The columns of the team list. */
export const teamColumns: readonly Column<Team>[] = [
  helper.display({
    id: 'team',
    header: words.column.team,
    cell: ({ row }) => <TeamCell team={row.original} />,
    meta: { width: 'minmax(0,2fr)' },
  }),
  helper.display({
    id: 'created',
    header: words.column.created,
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} />,
    meta: { width: '8rem' },
  }),
  helper.display({
    id: 'id',
    header: words.column.id,
    cell: ({ row }) => <code className="tss:block tss:truncate tss:font-mono tss:text-xs">{row.original.id}</code>,
    meta: { width: 'minmax(0,1.5fr)', isWideOnly: true },
  }),
];

function TeamCell({ team }: { readonly team: Team }) {
  const project = useProject();
  return (
    <div className="tss:flex tss:items-center tss:gap-3">
      <Avatar src={team.profileImageUrl} initials={initialsOf(team.displayName)} />
      {/* The link covers the row, so that a click anywhere in it opens the team. */}
      <Link
        to="/projects/$projectId/teams/$teamId"
        params={{ projectId: project.id, teamId: team.id }}
        className="tss:min-w-0 tss:line-clamp-2 tss:wrap-anywhere tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
      >
        {shownName(team.displayName)}
      </Link>
    </div>
  );
}
