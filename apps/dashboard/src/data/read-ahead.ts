import type { DashboardApp } from '../app.ts';
import type { RouterContext } from '../routes/root.tsx';
import { type OwnedProject, type Owner, projectsQuery, rolesQuery } from './owner.tsx';

type ReadAheadContext = Pick<RouterContext, 'app' | 'queryClient'>;

/** Reads the user, and then what every page of an owner shows, while the code of the pages is still loading. */
export async function readAhead({ app, queryClient }: ReadAheadContext): Promise<void> {
  const user = await signedInUser(app);
  if (user === null) return;
  void queryClient.prefetchQuery(projectsQuery(user));
  void queryClient.prefetchQuery(rolesQuery(user));
}

/** Starts a read of a project before its page is rendered. The page reads again what could not be read. */
export async function readAheadOf(
  { app, queryClient }: ReadAheadContext,
  projectId: string,
  read: (project: OwnedProject) => Promise<void>,
): Promise<void> {
  const user = await signedInUser(app);
  if (user === null) return;
  await queryClient.prefetchQuery(projectsQuery(user));
  const project = queryClient.getQueryData(projectsQuery(user).queryKey)?.find(one => one.id === projectId);
  if (project !== undefined) await read(project);
}

/** Resolves when the user is known, and shares the request of all others who ask. */
function signedInUser(app: DashboardApp): Promise<Owner | null> {
  return new Promise(resolve => {
    const stop = app.onUserChange(user => {
      // The app of the React package returns users with hooks; the type of the listener is that of the client package.
      resolve(user as Owner | null);
      // Not at once: the listener is called before `stop` is assigned when the user is known already.
      queueMicrotask(() => stop());
    });
  });
}
