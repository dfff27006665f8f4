import { type CurrentUser, internals, type Project } from '@tessera/client';
import { useApp } from './hooks.ts';
import { type Reading, useReading } from './reader.ts';

/** Who is signed in, for components that must neither suspend nor fail. */
export function useUserReading(): Reading<CurrentUser | null> {
  return useReading(useApp()[internals].user());
}

/** The project, for components that must neither suspend nor fail. */
export function useProjectReading(): Reading<Project> {
  return useReading(useApp()[internals].reads.getProject.reader());
}
