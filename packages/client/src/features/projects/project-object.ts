import type { Reply, Routes } from '@tessera/protocol';
import { entity } from '../../objects/entity.ts';
import type { Project } from './project.ts';

type ProjectJson = Reply<Routes['GET /projects/current'], 'client'>;

/** The public object of a project. */
export function projectFromWire({ id, display_name, logo_url, config, ...wire }: ProjectJson): Project {
  const { deletion_cooling_off_days: deletionCoolingOffDays } = wire;
  return entity(
    {
      id,
      displayName: display_name,
      ...(logo_url !== undefined && { logoUrl: logo_url }),
      ...(deletionCoolingOffDays !== undefined && { deletionCoolingOffDays }),
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
