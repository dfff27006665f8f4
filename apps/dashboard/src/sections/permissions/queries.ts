import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';
import { renewTeams } from '../teams/queries.ts';

/** Where a permission holds: in one team, or in the whole project. */
export type Scope = 'team' | 'project';

/** A permission that the project defines, or a built-in one. */
export type Definition = Awaited<ReturnType<OwnedProject['app']['listTeamPermissionDefinitions']>>[number];

/** The key of everything about the permission definitions of a project. */
const permissionsKey = (project: OwnedProject) => ['project', project.id, 'permissions'] as const;

/** Reads definitions again, and the pages of users and teams, which explain permissions. */
export async function renewPermissions(cache: QueryClient, project: OwnedProject): Promise<void> {
  await Promise.all([cache.invalidateQueries({ queryKey: permissionsKey(project) }), renewTeams(cache, project)]);
}

/** The definitions of a scope, by id. */
export function definitionsQuery(project: OwnedProject, scope: Scope) {
  const { app } = project;
  return queryOptions({
    queryKey: [...permissionsKey(project), scope],
    queryFn: () => (scope === 'team' ? app.listTeamPermissionDefinitions() : app.listProjectPermissionDefinitions()),
  });
}

/** The changes of definitions in a scope. */
export function definitionMethods({ app }: OwnedProject, scope: Scope) {
  return scope === 'team'
    ? {
        create: app.createTeamPermissionDefinition,
        update: app.updateTeamPermissionDefinition,
        remove: app.deleteTeamPermissionDefinition,
      }
    : {
        create: app.createProjectPermissionDefinition,
        update: app.updateProjectPermissionDefinition,
        remove: app.deleteProjectPermissionDefinition,
      };
}
