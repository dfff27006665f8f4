import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';

const membersKey = (project: OwnedProject) => ['project', project.id, 'settings', 'members'] as const;

/** The users who manage the project, owners first. */
export function membersQuery(project: OwnedProject) {
  return queryOptions({ queryKey: membersKey(project), queryFn: () => project.app.listProjectMembers() });
}

/** The open invitations to manage the project, oldest first. */
export function invitationsQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'settings', 'invitations'],
    queryFn: () => project.app.listProjectInvitations(),
  });
}

/** Reads members and the role of the signed-in user again. */
export async function renewMembers(cache: QueryClient, project: OwnedProject): Promise<void> {
  const keys = [membersKey(project), ['projects']];
  await Promise.all(keys.map(queryKey => cache.invalidateQueries({ queryKey })));
}

/** How emails and sign-in pages of the project look. */
export function brandingQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'settings', 'branding'],
    queryFn: () => project.app.getBranding(),
  });
}

/** The findings against production mode. The settings are in the key, because the SDK derives the list from them. */
export function productionErrorsQuery(project: OwnedProject) {
  const { allowLocalhost, domains } = project.config;
  return queryOptions({
    queryKey: ['project', project.id, 'settings', 'production-errors', { allowLocalhost, domains }],
    queryFn: () => project.getProductionModeErrors(),
  });
}
