import { Avatar, initialsOf } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';
import { PartSurface } from '../cards/surface.tsx';

/** What an avatar needs to know of a user. */
export interface AvatarUser {
  readonly profileImageUrl?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly primaryEmail?: string | null | undefined;
}

/** Props of `UserAvatar`. */
export interface UserAvatarProps {
  /** Width and height in pixels. Default 34. */
  size?: number | undefined;
  /** Without one, an icon stands for nobody. */
  user?: AvatarUser | null | undefined;
  /** Draws a fine line around the picture. */
  border?: boolean | undefined;
}

/** A user's picture, else the first two letters of their name or address. */
export function UserAvatar(props: UserAvatarProps) {
  return (
    <PartSurface className="tss:inline-block">
      <NamedAvatar {...props} />
    </PartSurface>
  );
}

function NamedAvatar(props: UserAvatarProps) {
  const translate = useTranslate();
  const name = nameOf(props.user);
  return <AvatarPicture {...props} label={name ? translate('avatar.user', { name }) : translate('avatar.nobody')} />;
}

/** Without a label: beside a written name, or inside a button that has one. */
export function AvatarPicture({ size = 34, user, border = false, label }: UserAvatarProps & { label?: string }) {
  return (
    <Avatar
      src={user?.profileImageUrl}
      initials={initialsOf(nameOf(user) ?? '')}
      size={size}
      {...(label !== undefined && { label })}
      {...(border && { className: 'tss:border tss:border-border' })}
    />
  );
}

/** What a user is called: by name, else by address. */
export function nameOf(user: AvatarUser | null | undefined): string | undefined {
  return user?.displayName || user?.primaryEmail || undefined;
}
