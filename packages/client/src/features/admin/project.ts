import type { Args, Reply, Routes } from '@tessera/protocol';
import type { AdminApp } from '../../app/admin-app.ts';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';
import { constantReader } from '../../objects/selection.ts';
import { renewProject, renewProjectList } from '../projects/project-lists.ts';
import { type ProductionModeError, productionModeErrors } from './production-mode.ts';
import {
  type AdminProjectConfig,
  type AdminProjectConfigUpdate,
  projectConfigFromWire,
  projectConfigToWire,
} from './project-config.ts';

/** Changes of a project; members left out stay as they are. */
export interface AdminProjectUpdateOptions {
  /** What people read of it. */
  readonly displayName?: string | undefined;
  /** A text that only the owners of the project see; null removes it. */
  readonly description?: string | null | undefined;
  /** Whether the stricter rules of production hold. */
  readonly isProductionMode?: boolean | undefined;
  /** Settings to change. */
  readonly config?: AdminProjectConfigUpdate | undefined;
}

/** A new project. */
export interface AdminProjectCreateOptions extends AdminProjectUpdateOptions {
  /** What people read of it. */
  readonly displayName: string;
}

interface AdminProjectFields {
  /** Id of the project. */
  readonly id: string;
  /** What people read of it. */
  readonly displayName: string;
  /** A text that only the owners of the project see; null when there is none. */
  readonly description: string | null;
  /** When it was made. */
  readonly createdAt: Date;
  /** Whether the stricter rules of production hold. */
  readonly isProductionMode: boolean;
  /** The settings of the project, secrets included. */
  readonly config: AdminProjectConfig;
}

/** Reads of a project as its owner sees it. */
export interface AdminProjectReads {
  /** The findings against production mode. Computed without a request: the server enforces none of them. */
  getProductionModeErrors(): Promise<ProductionModeError[]>;
}

interface AdminProjectMethods {
  /** Changes the given fields; the others stay. @throws when the server refuses one of them. */
  update(changes: AdminProjectUpdateOptions): Promise<void>;
  /** Deletes the project with everything in it. */
  delete(): Promise<void>;
}

/** A project as its owner sees it. A snapshot. */
export interface AdminProject extends AdminProjectFields, AdminProjectReads, AdminProjectMethods {}

/** A project of a signed-in user of `internal`. A snapshot. */
export interface AdminOwnedProject extends AdminProject {
  /** An app for this project, with the rights of its owner. */
  readonly app: AdminApp<false>;
}

/** Reads of an admin app about its project. */
export interface AdminProjectAppReads {
  /** The project of this app, with all its settings, secrets included. */
  getProject(): Promise<AdminProject>;
}

export type AdminProjectJson = Reply<Routes['GET /internal/projects/current'], 'admin'>;
type ProjectBody = NonNullable<Args<Routes['PATCH /internal/projects/current'], 'admin'>['body']>;

export function adminProject(ctx: Context<'admin'>): { reads: Reads<AdminProjectAppReads> } {
  const { call, resources } = ctx;
  const current = resources.make('project', () => ({
    load: async () => toAdminProject(ctx, await call('GET /internal/projects/current', { session: null })),
  }));
  return { reads: { getProject: readOf(() => current.entry()) } };
}

/** @param extra further fields, for projects that are owned. */
export function toAdminProject<Extra extends object = Record<never, never>>(
  ctx: Context<'admin'>,
  wire: AdminProjectJson,
  extra?: Extra,
): AdminProject & Extra {
  const { call } = ctx;
  const fields = adminProjectFields(wire);
  const project = entity(
    { ...fields, ...(extra as Extra) },
    { getProductionModeErrors: readOf(constantReader(productionModeErrors(fields))) },
    {
      async update(changes: AdminProjectUpdateOptions) {
        await call('PATCH /internal/projects/current', { body: projectToWire(changes), session: null });
        await renewProject(ctx);
      },
      async delete() {
        await call('DELETE /internal/projects/current', { session: null });
        // Not the project itself: its page is still mounted, and the read would fail.
        await renewProjectList(ctx);
      },
    },
  );
  return project;
}

function adminProjectFields(wire: AdminProjectJson): AdminProjectFields {
  return {
    id: wire.id,
    displayName: wire.display_name,
    description: wire.description,
    createdAt: new Date(wire.created_at_millis),
    isProductionMode: wire.is_production_mode,
    config: projectConfigFromWire(wire.config),
  };
}

export function projectToWire(changes: AdminProjectUpdateOptions): ProjectBody {
  return {
    display_name: changes.displayName,
    description: changes.description,
    is_production_mode: changes.isProductionMode,
    config: changes.config && projectConfigToWire(changes.config),
  };
}
