import { useLocation } from '@tanstack/react-router';
import { BackLink } from '../../components/page/back-link.tsx';
import { useProject } from '../../data/owner.tsx';
import type { UserSearch } from './search.ts';
import { words } from './words.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The search and filters of the user list from which a page was opened. */
    userSearch?: UserSearch;
  }
}

/** The search and filters of the list from which the page was opened. They survive a reload. */
export function useListSearch(): UserSearch {
  return useLocation({ select: ({ state }) => state.userSearch }) ?? {};
}

/** The link to the user list, with the search and filters from which the page was opened. */
export function BackToUsers() {
  const project = useProject();
  return (
    <BackLink to="/projects/$projectId/users" params={{ projectId: project.id }} search={useListSearch()}>
      {words.back}
    </BackLink>
  );
}
