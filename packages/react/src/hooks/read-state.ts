import { type CurrentUser, internals, type Project } from '@tessera/client';
import { useApp } from './hooks.ts';
import { type ReadState, useReadState } from './reader.ts';

/** The signed-in user, for components that must neither suspend nor throw. */
export function useUserState(): ReadState<CurrentUser | null> {
  return useReadState(useApp()[internals].user(), isNoUser);
}

/**
 * While the reader has no value, only "no user" is kept: another user may have signed in, whose page must not show the
 * last one.
 */
function isNoUser(user: CurrentUser | null): boolean {
  return user === null;
}

/** The project, for components that must neither suspend nor throw. */
export function useProjectState(): ReadState<Project> {
  return useReadState(useApp()[internals].reads.getProject.reader());
}
