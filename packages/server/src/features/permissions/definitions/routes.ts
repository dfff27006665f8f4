import { type Endpoint, fail, type PermissionScope, type teamPermissionDefinitionEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { type Projects, publishProjectChange, raisePermissionGeneration, updateConfig } from '../../projects/index.ts';
import {
  applyDefinitionChanges,
  assertDefinitionsFit,
  createDefinition,
  findDefinition,
  listDefinitions,
  removeFromConfig,
  renameTeamRole,
  replaceDefinition,
} from '../rules.ts';
import {
  type DefinitionRow,
  deleteDefinition,
  insertDefinition,
  renameInReferences,
  selectDefinitions,
  updateDefinition,
} from '../store.ts';
import { toDefinition, toDefinitionFields } from '../wire.ts';

export interface DefinitionRoutesDeps {
  readonly db: Database;
  readonly projects: Projects;
}

type TeamEndpoints = typeof teamPermissionDefinitionEndpoints;

/** The endpoints of one scope; the two scopes differ in their paths and names only. */
type DefinitionEndpoints = {
  readonly [Name in keyof TeamEndpoints]: Omit<TeamEndpoints[Name], 'path' | 'summary'> &
    Pick<Endpoint, 'path' | 'summary'>;
};

/** docs/contract/permissions.md#definitions, for one scope. */
export function definitionRoutes(
  scope: PermissionScope,
  endpoints: DefinitionEndpoints,
  deps: DefinitionRoutesDeps,
): BoundRoute[] {
  return [
    bind(endpoints.list, async call => {
      const definitions = await selectDefinitions(deps.db, call.project.id);
      return { items: listDefinitions(scope, definitions).map(toDefinition), is_paginated: false } as const;
    }),

    bind(endpoints.create, async ({ project, body }) => {
      const fields = { ...toDefinitionFields(body), id: body.id };
      const created = await changeDefinitions(project.id, deps, async (tx, definitions) => {
        const definition = createDefinition(fields, scope, definitions);
        assertDefinitionsFit(definitions, [...definitions, definition]);
        await insertDefinition(tx, project.id, definition);
        return definition;
      });
      return toDefinition(created);
    }),

    bind(endpoints.update, async ({ project, params: { id }, body }) => {
      const fields = toDefinitionFields(body);
      const updated = await changeDefinitions(project.id, deps, async (tx, definitions, config) => {
        const to = applyDefinitionChanges(id, fields, scope, definitions);
        assertDefinitionsFit(definitions, replaceDefinition(id, to, definitions));
        await updateDefinition(tx, project.id, { id, to });
        if (to.id !== id) {
          await renameInReferences(tx, project.id, { from: id, to: to.id });
          await changeConfig(tx, project.id, renameTeamRole(config, { from: id, to: to.id }), deps);
        }
        const containedPermissionIds = to.containedPermissionIds.map(one => (one === id ? to.id : one));
        return { ...to, containedPermissionIds };
      });
      return toDefinition(updated);
    }),

    bind(endpoints.delete, async ({ project, params: { id } }) => {
      await changeDefinitions(project.id, deps, async (tx, definitions, config) => {
        findDefinition(id, scope, definitions);
        await deleteDefinition(tx, project.id, id);
        await changeConfig(tx, project.id, removeFromConfig(config, id), deps);
      });
      return { success: true } as const;
    }),
  ];
}

/** Changes the definitions of a project under a lock, one caller after the other. */
function changeDefinitions<T>(
  projectId: string,
  deps: DefinitionRoutesDeps,
  change: (tx: Transaction, definitions: readonly DefinitionRow[], config: object) => Promise<T>,
): Promise<T> {
  return transaction(deps.db, async tx => {
    const config = await raisePermissionGeneration(tx, projectId);
    if (config === undefined) fail('PROJECT_NOT_FOUND', { project_id: projectId });
    return change(tx, await selectDefinitions(tx, projectId), config);
  });
}

/** @param config undefined when nothing changes */
async function changeConfig(
  tx: Transaction,
  projectId: string,
  config: object | undefined,
  deps: DefinitionRoutesDeps,
): Promise<void> {
  if (config === undefined) return;
  await updateConfig(tx, projectId, config);
  await publishProjectChange(tx, projectId, deps);
}
