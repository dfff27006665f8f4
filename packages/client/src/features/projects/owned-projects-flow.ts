import type { ProjectRole } from '@tessera/protocol';
import type { AdminApp, AdminAppConstructor } from '../../app/admin-app.ts';
import type { Context } from '../../app/context.ts';
import { contextOf } from '../../app/context-of.ts';
import type { Session } from '../../session/session.ts';
import {
  type AdminOwnedProject,
  type AdminProjectCreateOptions,
  type AdminProjectJson,
  projectToWire,
  toAdminProject,
} from '../admin/project.ts';
import { registerProjectList } from './project-lists.ts';

/** One app per session and project, so that what it knows is not asked again. */
const apps = new WeakMap<Session, Map<string, AdminApp<false>>>();

export async function loadOwnedProjects(ctx: Context<'client'>, session: Session): Promise<AdminOwnedProject[]> {
  const [{ items }, Admin] = await Promise.all([ctx.call('GET /internal/projects', { session }), ctx.loadAdminApp()]);
  return items.map(item => toOwned(ctx, { session, Admin }, item));
}

export async function createProject(
  ctx: Context<'client'>,
  session: Session,
  options: AdminProjectCreateOptions,
): Promise<AdminOwnedProject> {
  const body = { ...projectToWire(options), display_name: options.displayName };
  const [created, Admin] = await Promise.all([
    ctx.call('POST /internal/projects', { body, session }),
    ctx.loadAdminApp(),
  ]);
  await ctx.resources.renew('ownedProjects', session);
  return toOwned(ctx, { session, Admin }, created);
}

export async function loadProjectRoles(
  ctx: Context<'client'>,
  session: Session,
): Promise<readonly { readonly projectId: string; readonly role: ProjectRole }[]> {
  const { items } = await ctx.call('GET /internal/extensions/project-roles', { session });
  return items.map(({ project_id: projectId, role }) => Object.freeze({ projectId, role }));
}

interface Owner {
  readonly session: Session;
  readonly Admin: AdminAppConstructor;
}

function toOwned(ctx: Context<'client'>, owner: Owner, wire: AdminProjectJson): AdminOwnedProject {
  const { session } = owner;
  registerProjectList(session, () => ctx.resources.renew('ownedProjects', session));
  const app = appOf(ctx, owner, wire.id);
  return toAdminProject(contextOf(app).at('admin'), wire, { app });
}

function appOf({ config, platform }: Context<'client'>, { session, Admin }: Owner, projectId: string): AdminApp<false> {
  const ofSession = apps.get(session) ?? new Map<string, AdminApp<false>>();
  apps.set(session, ofSession);
  const options = {
    projectId,
    projectOwnerSession: session,
    tokenStore: null,
    baseUrl: config.baseUrl,
    extraRequestHeaders: config.extraRequestHeaders,
    retryBudgetMs: config.retryBudgetMs,
  };
  // The public constructor has no parameter for the platform.
  const app = ofSession.get(projectId) ?? (Reflect.construct(Admin, [options, platform]) as AdminApp<false>);
  ofSession.set(projectId, app);
  return app;
}
