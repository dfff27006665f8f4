import { Avatar, initialsOf } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';
import { PartSurface } from '../cards/surface.tsx';

/** The fields of a user that an avatar reads. */
export interface AvatarUser {
  readonly profileImageUrl?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly primaryEmail?: string | null | undefined;
}

/** Props of `UserAvatar`. */
export interface UserAvatarProps {
  /** Width and height in pixels. Default 34. */
  size?: number | undefined;
  /** Without a user, an icon is shown. */
  user?: AvatarUser | null | undefined;
  /** Draws a thin border around the image. */
  border?: boolean | undefined;
}

/** The image of a user, or the first two letters of their name or address. */
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
  return (
    <AvatarPicture {...props} label={name ? translate('avatar.user', { name }) : translate('userButton.signedOut')} />
  );
}

/** Without a label: beside a visible name, or inside a button that has a name. */
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

/** The display name of a user, or their email address. */
export function nameOf(user: AvatarUser | null | undefined): string | undefined {
  return user?.displayName || user?.primaryEmail || undefined;
}
