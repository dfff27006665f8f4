import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { User } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useProjects } from '../data/owner.tsx';
import { userName } from '../sections/users/user-name.ts';
import { PaletteGroup, PaletteItem } from './palette-item.tsx';
import { words } from './palette-words.ts';

/** The list of users has all. */
const shownUsers = 5;

/** One letter matches the beginning of too many names. */
const typedLengthMin = 2;

const typingPauseMs = 200;

interface FoundUsersProps {
  readonly projectId: string;
  /** A part of a name or address, or a whole id. */
  readonly query: string;
  readonly run: (action: () => unknown) => () => void;
}

/**
 * The first users who match. They are below the sections: an answer that arrives while the user aims at a command does not move
 * it. The filter of the palette hides users of an earlier text that do not match what is typed now.
 */
export function FoundUsers({ projectId, query, run }: FoundUsersProps) {
  const { data: projects = [] } = useProjects();
  const project = projects.find(({ id }) => id === projectId);
  const navigate = useNavigate();
  const text = useSettled(query);
  const { data: users = [] } = useQuery({
    queryKey: ['project', projectId, 'users', 'palette', text],
    queryFn: async () => (await project?.app.findUsers({ query: text, limit: shownUsers, desc: true })) ?? [],
    enabled: project !== undefined && text.length >= typedLengthMin,
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
            navigate({ to: '/projects/$projectId/users/$userId', params: { projectId, userId: user.id } }),
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

/** The text after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
