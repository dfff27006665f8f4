import { projectPermissionDefinitionEndpoints, teamPermissionDefinitionEndpoints } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import type { BoundRoute } from '../../http/bind.ts';
import { definitionRoutes } from './definitions/routes.ts';
import { projectGrantRoutes, teamGrantRoutes } from './grants/routes.ts';

export function permissionRoutes(deps: Deps): BoundRoute[] {
  return [
    ...definitionRoutes('team', teamPermissionDefinitionEndpoints, deps),
    ...definitionRoutes('project', projectPermissionDefinitionEndpoints, deps),
    ...teamGrantRoutes(deps),
    ...projectGrantRoutes(deps),
  ];
}
