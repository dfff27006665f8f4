import type { Answer, projectEndpoints } from '@tessera/protocol';
import type { Project } from '../../core/project.ts';
import type { ProjectConfig } from '../../core/project-config.ts';

type ClientProject = Answer<typeof projectEndpoints.readCurrent>;

/**
 * docs/contract/projects.md#client-view: the client view. Callers who do not own the project see nothing else of it.
 */
export function toClientProject({ id, displayName, config }: Project): ClientProject {
  const { branding, deletionCoolingOffDays: days } = config;
  return {
    id,
    display_name: displayName,
    ...(branding.logoUrl && { logo_url: branding.logoUrl }),
    ...(days > 0 && { deletion_cooling_off_days: days }),
    config: clientConfig(config),
  };
}

/** The settings that every caller can read. */
export function clientConfig(config: ProjectConfig): ClientProject['config'] {
  return {
    sign_up_enabled: config.signUpEnabled,
    credential_enabled: config.credentialEnabled,
    magic_link_enabled: config.magicLinkEnabled,
    passkey_enabled: config.passkeyEnabled,
    client_team_creation_enabled: config.clientTeamCreationEnabled,
    client_user_deletion_enabled: config.clientUserDeletionEnabled,
    allow_user_api_keys: config.allowUserApiKeys,
    allow_team_api_keys: config.allowTeamApiKeys,
    enabled_oauth_providers: config.oauthProviders
      .map(({ id }) => ({ id }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  };
}
