import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { renewProject } from '../projects/project-lists.ts';

/** A permission that users can have in the whole project. */
export interface AdminProjectPermissionDefinition {
  /** Its name, unique among those of its scope. */
  readonly id: string;
  /** What it allows, in words of the owner. */
  readonly description?: string;
  /** Permissions that this one includes. */
  readonly containedPermissionIds: string[];
}

/** A permission that users can have in a team. */
export interface AdminTeamPermissionDefinition extends AdminProjectPermissionDefinition {
  /** @deprecated Never filled: the settings of the project say what is granted by default. */
  readonly isDefaultUserPermission?: boolean;
}

/** A new permission. */
export interface PermissionDefinitionCreateOptions {
  /** Name of the permission: the characters `a-z`, `0-9`, `_` and `:`. */
  readonly id: string;
  /** What it allows, in words of the owner. */
  readonly description?: string | undefined;
  /** Permissions that this one includes. */
  readonly containedPermissionIds: readonly string[];
  /** @deprecated Not sent: the settings of the project say what is granted by default. */
  readonly isDefaultUserPermission?: boolean | undefined;
}

/** Changes of a permission; members left out stay as they are. */
export interface PermissionDefinitionUpdateOptions {
  /** What it allows, in words of the owner. */
  readonly description?: string | undefined;
  /** Permissions that this one includes; replaced as a whole. */
  readonly containedPermissionIds?: readonly string[] | undefined;
}

/** Reads of an admin app about permissions. */
export interface PermissionDefinitionReads {
  /** The team permissions in the order of their ids, system permissions included. */
  listTeamPermissionDefinitions(): Promise<AdminTeamPermissionDefinition[]>;
  /** The project permissions in the order of their ids. */
  listProjectPermissionDefinitions(): Promise<AdminProjectPermissionDefinition[]>;
}

/** Defining permissions. */
export interface PermissionDefinitionMethods {
  /** @throws when the id is taken, or a contained permission is not defined. */
  createTeamPermissionDefinition(options: PermissionDefinitionCreateOptions): Promise<AdminTeamPermissionDefinition>;
  /** Changes the given fields. @throws when the definition does not exist, or a contained permission is not defined. */
  updateTeamPermissionDefinition(id: string, changes: PermissionDefinitionUpdateOptions): Promise<void>;
  /** Deletes it with its grants. */
  deleteTeamPermissionDefinition(id: string): Promise<void>;
  /** @throws when the id is taken, or a contained permission is not defined. */
  createProjectPermissionDefinition(
    options: PermissionDefinitionCreateOptions,
  ): Promise<AdminProjectPermissionDefinition>;
  /** Changes the given fields. @throws when the definition does not exist, or a contained permission is not defined. */
  updateProjectPermissionDefinition(id: string, changes: PermissionDefinitionUpdateOptions): Promise<void>;
  /** Deletes it with its grants. */
  deleteProjectPermissionDefinition(id: string): Promise<void>;
}

type DefinitionJson = Reply<Routes['POST /team-permission-definitions'], 'admin'>;

export function permissionDefinitions(ctx: Context<'admin'>): {
  reads: Reads<PermissionDefinitionReads>;
  methods: PermissionDefinitionMethods;
} {
  const [team, project] = [definitionsOf(ctx, 'team'), definitionsOf(ctx, 'project')];
  return {
    reads: { listTeamPermissionDefinitions: team.list, listProjectPermissionDefinitions: project.list },
    methods: {
      createTeamPermissionDefinition: team.create,
      updateTeamPermissionDefinition: team.update,
      deleteTeamPermissionDefinition: team.remove,
      createProjectPermissionDefinition: project.create,
      updateProjectPermissionDefinition: project.update,
      deleteProjectPermissionDefinition: project.remove,
    },
  };
}

/** The definitions of one scope: their read, and the functions that change them. */
function definitionsOf(ctx: Context<'admin'>, scope: 'team' | 'project') {
  const { call, resources } = ctx;
  const kind = `${scope}PermissionDefinitions` as const;
  const session = null;

  const definitions = resources.make(kind, () => ({
    load: async () => {
      const { items } = await call(`GET /${scope}-permission-definitions`, { session });
      return items.map(definitionFromWire);
    },
  }));

  /** Users have more or fewer permissions when a definition contains others, or is gone with its grants. */
  async function refreshReads(): Promise<void> {
    await Promise.all([resources.renew(kind), resources.renew(`${scope}Permissions`)]);
  }

  return {
    list: readOf(() => definitions.entry()),
    async create({ id, ...options }: PermissionDefinitionCreateOptions) {
      const body = { id, ...definitionToWire(options) };
      const created = await call(`POST /${scope}-permission-definitions`, { body, session });
      await resources.renew(kind);
      return definitionFromWire(created);
    },
    async update(id: string, changes: PermissionDefinitionUpdateOptions) {
      const body = definitionToWire(changes);
      await call(`PATCH /${scope}-permission-definitions/{id}`, { params: { id }, body, session });
      await refreshReads();
    },
    async remove(id: string) {
      await call(`DELETE /${scope}-permission-definitions/{id}`, { params: { id }, session });
      // The server removes it from the settings of the project, too.
      await Promise.all([refreshReads(), renewProject(ctx), resources.renew('teamRoleSettings')]);
    },
  };
}

function definitionFromWire(wire: DefinitionJson): AdminProjectPermissionDefinition {
  return Object.freeze({
    id: wire.id,
    ...(wire.description !== undefined && { description: wire.description }),
    containedPermissionIds: wire.contained_permission_ids,
  });
}

function definitionToWire({ description, containedPermissionIds }: PermissionDefinitionUpdateOptions) {
  return { description, contained_permission_ids: containedPermissionIds && [...containedPermissionIds] };
}
