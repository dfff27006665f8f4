import type { Team } from '@tessera/client';
import { Avatar, initialsOf } from '@tessera/ui';

interface TeamIconProps {
  team: Pick<Team, 'displayName' | 'profileImageUrl'>;
  /** Width and height in pixels. Default 24. */
  size?: number;
}

/** The image of a team, or the first letter of its name. Shown beside the name. */
export function TeamIcon({ team, size = 24 }: TeamIconProps) {
  return (
    <Avatar
      src={team.profileImageUrl}
      initials={initialsOf(team.displayName).slice(0, 1)}
      size={size}
      className="tss:rounded-md!"
    />
  );
}
