import { projectPermissionDefinitionEndpoints, teamPermissionDefinitionEndpoints } from '@tessera/protocol';
import type { BoundRoute } from '../../http/bind.ts';
import { type DefinitionRoutesDeps, definitionRoutes } from './definitions/routes.ts';
import { type GrantRoutesDeps, projectGrantRoutes, teamGrantRoutes } from './grants/routes.ts';

type PermissionRoutesDeps = DefinitionRoutesDeps & GrantRoutesDeps;

export function permissionRoutes(deps: PermissionRoutesDeps): BoundRoute[] {
  return [
    ...definitionRoutes('team', teamPermissionDefinitionEndpoints, deps),
    ...definitionRoutes('project', projectPermissionDefinitionEndpoints, deps),
    ...teamGrantRoutes(deps),
    ...projectGrantRoutes(deps),
  ];
}
