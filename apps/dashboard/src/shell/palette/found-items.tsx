import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Network, User } from 'lucide-react';
import { shownName } from '../../data/names/shown-name.ts';
import { type OwnedProject, useProjects } from '../../data/owner.tsx';
import { useDebounced } from '../../data/use-debounced.ts';
import { teamChoicesQuery } from '../../sections/teams/queries.ts';
import { userName } from '../../sections/users/user-name.ts';
import { PaletteGroup, PaletteItem } from './palette-item.tsx';
import { words } from './palette-words.ts';

/** Of each kind. The lists of users and teams have all. */
const shownCount = 5;

/** One letter matches the beginning of too many names. */
const typedLengthMin = 2;

const typingPauseMs = 200;

interface FoundItemsProps {
  readonly projectId: string;
  /** A part of a name or address, or a whole id. */
  readonly query: string;
  readonly run: (action: () => unknown) => () => void;
}

/**
 * The first users and teams that match. They are below the sections: an answer that arrives while the user aims at a command
 * does not move it. The filter of the palette hides those of an earlier text that do not match what is typed now.
 */
export function FoundItems({ projectId, query, run }: FoundItemsProps) {
  const { data: projects = [] } = useProjects();
  const project = projects.find(({ id }) => id === projectId);
  const text = useDebounced(query, typingPauseMs);
  if (project === undefined || text.length < typedLengthMin) return null;
  return (
    <>
      <FoundUsers project={project} text={text} run={run} />
      <FoundTeams project={project} text={text} run={run} />
    </>
  );
}

interface FoundProps {
  readonly project: OwnedProject;
  readonly text: string;
  readonly run: FoundItemsProps['run'];
}

function FoundUsers({ project, text, run }: FoundProps) {
  const navigate = useNavigate();
  const { data: users = [] } = useQuery({
    queryKey: ['project', project.id, 'users', 'palette', text],
    queryFn: () => project.app.findUsers({ query: text, limit: shownCount, desc: true }),
  });
  if (users.length === 0) return null;
  return (
    <PaletteGroup heading={words.users}>
      {users.map(user => (
        <PaletteItem
          key={user.id}
          value={`${text} ${user.id}`}
          icon={<User aria-hidden />}
          onSelect={run(() =>
            navigate({ to: '/projects/$projectId/users/$userId', params: { projectId: project.id, userId: user.id } }),
          )}
        >
          {nameAndAddress(user)}
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

function nameAndAddress(user: Parameters<typeof userName>[0]): string {
  const name = userName(user);
  return user.primaryEmail === null || user.primaryEmail === name ? name : `${name} · ${user.primaryEmail}`;
}

function FoundTeams({ project, text, run }: FoundProps) {
  const navigate = useNavigate();
  const { data: teams = [] } = useQuery(teamChoicesQuery(project, text));
  if (teams.length === 0) return null;
  return (
    <PaletteGroup heading={words.teams}>
      {teams.slice(0, shownCount).map(team => (
        <PaletteItem
          key={team.id}
          value={`${text} ${team.id}`}
          icon={<Network aria-hidden />}
          onSelect={run(() =>
            navigate({ to: '/projects/$projectId/teams/$teamId', params: { projectId: project.id, teamId: team.id } }),
          )}
        >
          {shownName(team.displayName)}
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}
