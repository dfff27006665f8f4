import type { AccessLevel, Answer, Input, teamEndpoints } from '@tessera/protocol';
import { clientTeam, serverTeam } from '../accounts/users/index.ts';
import type { NewTeamFields, TeamFields } from './rules.ts';
import type { Team } from './store.ts';

/** docs/contract/teams.md#teams: the view of the caller's level. */
export function teamView(team: Team, level: AccessLevel): Answer<typeof teamEndpoints.read> {
  return level === 'client' ? clientTeam(team) : serverTeam(team);
}

export function teamFields(body: Input<typeof teamEndpoints.update>['body']): TeamFields {
  return {
    displayName: body.display_name,
    profileImageUrl: body.profile_image_url,
    clientMetadata: body.client_metadata,
    clientReadOnlyMetadata: body.client_read_only_metadata,
    serverMetadata: body.server_metadata,
  };
}

export function newTeamFields(body: Input<typeof teamEndpoints.create>['body']): NewTeamFields {
  return { ...teamFields(body), displayName: body.display_name };
}
