import type { Json } from '@tessera/protocol';
import { entity } from '../entity.ts';
import type { ServerUserJson, UserJson } from './user.ts';

/** A team as its members see it. */
export interface Team {
  readonly id: string;
  readonly displayName: string;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
}

/** A team as a server sees it. */
export interface ServerTeam extends Team {
  readonly createdAt: Date;
  readonly serverMetadata: Json;
}

type TeamJson = NonNullable<UserJson['selected_team']>;
type ServerTeamJson = NonNullable<ServerUserJson['selected_team']>;

export function teamFromWire(wire: TeamJson): Team {
  return entity(teamFields(wire), {}, {});
}

export function serverTeamFromWire(wire: ServerTeamJson): ServerTeam {
  const own = { createdAt: new Date(wire.created_at_millis), serverMetadata: wire.server_metadata };
  return entity({ ...teamFields(wire), ...own }, {}, {});
}

function teamFields(wire: TeamJson) {
  return {
    id: wire.id,
    displayName: wire.display_name,
    profileImageUrl: wire.profile_image_url,
    clientMetadata: wire.client_metadata,
    clientReadOnlyMetadata: wire.client_read_only_metadata,
  };
}
