import type { ProjectRole } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import type { Session } from '../../session/session.ts';
import type { AdminOwnedProject, AdminProjectCreateOptions } from '../admin/project.ts';

/** Reads of a user of the project `internal` about the projects that they own. */
export interface OwnedProjectReads {
  /** The projects that the user manages, each with an app for it: owned projects first, then memberships. */
  listOwnedProjects(): Promise<AdminOwnedProject[]>;
}

/** What a user of the project `internal` may do about projects. */
export interface OwnedProjectMethods {
  /** Makes a project that this user owns. */
  createProject(options: AdminProjectCreateOptions): Promise<AdminOwnedProject>;
  /**
   * The role of the user in each project that {@link OwnedProjectReads.listOwnedProjects} lists.
   *
   * @example
   * const internal = new ClientApp({ tokenStore: 'cookie', projectId: 'internal' });
   * const owner = await internal.getUser({ or: 'throw' });
   * const viewed = (await owner.listProjectRoles()).filter(({ role }) => role === 'viewer');
   */
  listProjectRoles(): Promise<readonly { readonly projectId: string; readonly role: ProjectRole }[]>;
}

/** What users of the project `internal` have on top. */
export interface InternalUserPart extends OwnedProjectReads, OwnedProjectMethods {}

export function ownedProjects(
  ctx: Context<'client'>,
): (session: Session) => { reads: Reads<OwnedProjectReads>; methods: OwnedProjectMethods } {
  // A separate chunk, because it imports the whole admin app.
  const flow = () => import('./owned-projects-flow.ts');
  const { resources } = ctx;
  const list = resources.make('ownedProjects', (session: Session) => ({
    load: async () => (await flow()).loadOwnedProjects(ctx, session),
  }));
  return session => ({
    reads: { listOwnedProjects: readOf(() => list.entry(session)) },
    methods: {
      createProject: async options => (await flow()).createProject(ctx, session, options),
      listProjectRoles: async () => (await flow()).loadProjectRoles(ctx, session),
    },
  });
}
