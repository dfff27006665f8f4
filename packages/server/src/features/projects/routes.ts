import { randomUUID } from 'node:crypto';
import {
  fail,
  ownerRecentSignInMs,
  type ProjectRole,
  projectAdminEndpoints,
  projectEndpoints,
  projectMemberEndpoints,
} from '@tessera/protocol';
import type { Caller } from '../../core/caller.ts';
import type { CallUser } from '../../core/user.ts';
import { managedProjectIds, roleInSession } from '../../http/access/managed-projects.ts';
import { type BoundRoute, bind, StreamedList } from '../../http/bind.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { type Database, type Queryable, transaction } from '../../platform/database/database.ts';
import { projectCreationUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { auditedBy, auditedByOwner, recordAudit } from '../audit/index.ts';
import { deleteProject, type ProjectDeletionDeps } from './deletion/deletion.ts';
import { type AssertGrantable, assertAllGrantable } from './grantable.ts';
import { type InternalApiKeysRoutesDeps, keySetRoutes } from './internal-api-keys/routes.ts';
import { selectMemberships } from './members/store.ts';
import { createPersonTurns, ownedProjects, projectsPerQuery } from './owned-list.ts';
import { addOwnedProjects } from './ownership/ownership.ts';
import { type CreateProject, updateProject } from './projects.ts';
import { addedDefaultPermissions, assertInternalUser, assertMayCreateProject, redirectsCodes } from './rules.ts';
import { toAdminProject, toProjectChanges } from './settings/wire.ts';
import { selectProjectRecords } from './store.ts';
import { toClientProject } from './wire.ts';

type ProjectRoutesDeps = ProjectDeletionDeps &
  InternalApiKeysRoutesDeps & {
    readonly clock: Clock;
    readonly db: Database;
    readonly secrets: Secrets;
    readonly rateLimits: RateLimits;
  };

/** What later features do. */
interface ProjectSteps {
  readonly createProject: CreateProject;
  readonly assertGrantable: AssertGrantable;
  /** @throws REAUTHENTICATION_REQUIRED for a sign-in that is older */
  readonly assertRecentOwner: (ownerSessionId: string | undefined, withinMs: number) => Promise<void>;
}

/** docs/contract/projects.md, and the key sets of docs/contract/api-keys.md#internal-api-keys */
export function projectRoutes(
  deps: ProjectRoutesDeps,
  { createProject, assertGrantable, assertRecentOwner }: ProjectSteps,
): BoundRoute[] {
  const { secrets } = deps;
  const turns = createPersonTurns();
  /** Secrets in clear are for those who may change them. */
  const secretsFor = (role: ProjectRole | undefined) => (role === 'viewer' ? null : secrets);
  return [
    bind(projectEndpoints.readCurrent, call => toClientProject(call.project)),

    bind(projectAdminEndpoints.listOwned, async call => {
      assertInternalUser(call);
      const roles = await rolesOf(deps.db, call);
      const projects = ownedProjects({ userId: call.user.id, roles }, secretsFor, { db: deps.db, turns });
      if (roles.size > projectsPerQuery) return new StreamedList(projects);
      const items = [];
      for await (const project of projects) items.push(project);
      return { items, is_paginated: false } as const;
    }),

    bind(projectMemberEndpoints.listRoles, async call => {
      assertInternalUser(call);
      const items = [...(await rolesOf(deps.db, call))].map(([id, role]) => ({ project_id: id, role }));
      return { items, is_paginated: false } as const;
    }),

    bind(projectAdminEndpoints.create, async call => {
      assertMayCreateProject(call);
      await deps.rateLimits.spend(projectCreationUses(call.user.id, call.source));
      const {
        displayName = '',
        description = '',
        isProductionMode,
        config = {},
      } = toProjectChanges(call.body, secrets);
      const [id, createdAtMillis] = [randomUUID(), deps.clock.now()];
      const created = await transaction(deps.db, async tx => {
        const settings = { displayName, description, isProductionMode, config };
        const project = await createProject(tx, { id, createdAtMillis, ...settings }, deps);
        await assertAllGrantable(tx, id, addedDefaultPermissions(config), assertGrantable);
        await addOwnedProjects(tx, call.user.id, [id]);
        const by = auditedByOwner(call, call.user.id);
        await recordAudit(tx, { ...by, action: 'project.created', projectId: id, atMillis: createdAtMillis });
        return project;
      });
      return toAdminProject(created, secrets);
    }),

    bind(projectAdminEndpoints.read, async ({ project: { id }, ownerRole }) => {
      const [project] = await selectProjectRecords(deps.db, [id]);
      return toAdminProject(project ?? fail('PROJECT_NOT_FOUND', { project_id: id }), secretsFor(ownerRole));
    }),

    bind(projectAdminEndpoints.update, async call => {
      const changes = toProjectChanges(call.body, secrets);
      if (call.ownerId !== undefined && redirectsCodes(changes, call.project.config)) {
        await assertRecentOwner(call.ownerSessionId, ownerRecentSignInMs);
      }
      const updated = await transaction(deps.db, async tx => {
        const added = addedDefaultPermissions(changes.config, call.project.config);
        await assertAllGrantable(tx, call.project.id, added, assertGrantable);
        return updateProject(tx, auditedBy(call), changes, deps);
      });
      return toAdminProject(updated, secrets);
    }),

    bind(projectAdminEndpoints.delete, async call => {
      await deleteProject(call, deps);
      return { success: true } as const;
    }),

    ...keySetRoutes(deps),
  ];
}

/** The projects of a user of `internal`: those that the user owns, in the order of the record, then memberships. */
async function rolesOf(
  db: Queryable,
  { user, ...session }: Pick<Caller, 'impersonation'> & { readonly user: CallUser },
): Promise<Map<string, ProjectRole>> {
  const owned = managedProjectIds(user).map(id => [id, 'owner'] as const);
  const memberships = (await selectMemberships(db, user.id)).map(({ projectId, role }) => [projectId, role] as const);
  const ownedIds = new Set(owned.map(([id]) => id));
  const held = [...owned, ...memberships.filter(([id]) => !ownedIds.has(id))];
  return new Map<string, ProjectRole>(held.map(([id, role]) => [id, roleInSession(role, session)]));
}
