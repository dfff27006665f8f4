import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import type { Reads } from '../../cache/resource.ts';
import { entity } from '../../objects/entity.ts';

/** What everybody may know of a project. */
export interface Project {
  /** Id of the project. */
  readonly id: string;
  /** What people read of it. */
  readonly displayName: string;
  /** What it offers. */
  readonly config: ProjectConfig;
}

/** Which ways to sign in a project offers, and what its users may do. */
export interface ProjectConfig {
  /** Whether new accounts are taken. */
  readonly signUpEnabled: boolean;
  /** Whether one can sign in with a password. */
  readonly credentialEnabled: boolean;
  /** Whether one can sign in with a code or link by mail. */
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
  readonly oauthProviders: readonly { readonly id: string }[];
}

/** Reads of an app about its project. */
export interface ProjectReads {
  /** The project of this app, as everybody may see it. */
  getProject(): Promise<Project>;
}

/** The project of the app. */
export function project(ctx: Context<'client'>): { reads: Reads<ProjectReads> } {
  const getProject = ctx.resources.make('project', () => ({
    load: async () => projectFromWire(await ctx.call('GET /projects/current', { session: null })),
  }));
  return { reads: { getProject } };
}

type ProjectJson = Reply<Routes['GET /projects/current'], 'client'>;

export function projectFromWire({ id, display_name, config }: ProjectJson): Project {
  return entity(
    {
      id,
      displayName: display_name,
      config: Object.freeze({
        signUpEnabled: config.sign_up_enabled,
        credentialEnabled: config.credential_enabled,
        magicLinkEnabled: config.magic_link_enabled,
        passkeyEnabled: config.passkey_enabled,
        clientTeamCreationEnabled: config.client_team_creation_enabled,
        clientUserDeletionEnabled: config.client_user_deletion_enabled,
        allowUserApiKeys: config.allow_user_api_keys,
        allowTeamApiKeys: config.allow_team_api_keys,
        oauthProviders: config.enabled_oauth_providers,
      }),
    },
    {},
    {},
  );
}
