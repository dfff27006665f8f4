import type { Context } from '../../app/context.ts';
import type { Reads } from '../../cache/resource.ts';

/** The public settings of a project. */
export interface Project {
  /** Id of the project. */
  readonly id: string;
  /** What people read of it. */
  readonly displayName: string;
  /** URL of the logo, when the project has one. */
  readonly logoUrl?: string;
  /** The days in which users can keep an account that they have deleted, when the project has set any. */
  readonly deletionCoolingOffDays?: number;
  /** What it offers. */
  readonly config: ProjectConfig;
}

/** The sign-in methods of a project, and what its users may do. */
export interface ProjectConfig {
  /** Whether new accounts are taken. */
  readonly signUpEnabled: boolean;
  /** Whether one can sign in with a password. */
  readonly credentialEnabled: boolean;
  /** Whether sign-in with an emailed code or link is enabled. */
  readonly magicLinkEnabled: boolean;
  /** Whether one can sign in with a passkey. */
  readonly passkeyEnabled: boolean;
  /** Whether users may make teams. */
  readonly clientTeamCreationEnabled: boolean;
  /** Whether users may delete their account. */
  readonly clientUserDeletionEnabled: boolean;
  /** Whether users may make API keys. */
  readonly allowUserApiKeys: boolean;
  /** Whether teams may have API keys. */
  readonly allowTeamApiKeys: boolean;
  /** Providers to sign in with, in the order of their buttons. */
  readonly oauthProviders: { readonly id: string }[];
}

/** Reads of an app about its project. */
export interface ProjectReads {
  /** The public view of this app's project. */
  getProject(): Promise<Project>;
}

/** The project of the app. */
export function project(ctx: Context<'client'>): { reads: Reads<ProjectReads> } {
  const getProject = ctx.resources.make('project', () => ({
    async load() {
      const request = ctx.call('GET /projects/current', { session: null });
      // Lazy: most pages do not read the project.
      const [json, { projectFromWire }] = await Promise.all([request, import('./project-object.ts')]);
      return projectFromWire(json);
    },
  }));
  return { reads: { getProject } };
}
