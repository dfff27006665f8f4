import {
  Button,
  CircleUserRound,
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
  LogIn,
  LogOut,
  Skeleton,
  SunMoon,
  UserRoundPlus,
} from '@tessera/ui';
import type { ReactNode } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { FailedItems, MenuItem } from './menu-items.tsx';
import { AvatarPicture, type AvatarUser, nameOf } from './user-avatar.tsx';

/** An extra item in the menu of the user button. */
export interface UserButtonItem {
  text: string;
  icon: ReactNode;
  onClick: () => void | Promise<void>;
}

/** Props of `UserButton`. */
export interface UserButtonProps {
  /** Shows name and email address beside the image. */
  showUserInfo?: boolean | undefined;
  /** Toggles between light and dark. With it the menu has an item for the theme. */
  colorModeToggle?: (() => void | Promise<void>) | undefined;
  /** Extra items for signed-in users. */
  extraItems?: readonly UserButtonItem[] | undefined;
  /** For demonstrations: replaces the user. */
  mockUser?: AvatarUser | undefined;
}

/** A button that shows the signed-in user, with a menu of actions. It never redirects by itself. */
export function UserButton(props: UserButtonProps) {
  return (
    <PartSurface className="tessera-user-button">
      <UserMenu {...props} />
    </PartSurface>
  );
}

function UserMenu({ showUserInfo = false, mockUser, ...props }: UserButtonProps) {
  const translate = useTranslate();
  const reading = useUserState();
  const user = mockUser ?? reading.value;
  if (user === undefined && reading.error === undefined) return <ButtonSkeleton />;

  const name = nameOf(user);
  const label = name ? translate('userButton.labelUser', { name }) : translate('userButton.label');
  return (
    // Not modal: the page stays scrollable, and no style element is created that a strict policy would refuse.
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button
          variant="quiet"
          size={showUserInfo ? 'md' : 'icon'}
          className={showUserInfo ? 'tss:px-2' : 'tss:rounded-full!'}
          aria-label={showUserInfo ? undefined : label}
        >
          <AvatarPicture user={user} />
          {/* Not an aria-label, which would replace the text that the button shows (WCAG 2.5.3). */}
          {showUserInfo && <span className="tss:sr-only">{translate('userButton.label')}</span>}
          {showUserInfo && user && <UserInfo user={user} />}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {user === undefined ? (
          <FailedItems error={reading.error} retry={reading.retry} />
        ) : (
          <UserItems user={user} {...props} />
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** As large as the button, with a circle as large as the image. */
function ButtonSkeleton() {
  return (
    <div className="tss:grid tss:size-11 tss:place-items-center">
      <Skeleton className="tss:rounded-full" style={{ width: 34, height: 34 }} />
    </div>
  );
}

type UserItemsProps = Pick<UserButtonProps, 'colorModeToggle' | 'extraItems'> & { user: AvatarUser | null };

function UserItems({ user, colorModeToggle, extraItems = [] }: UserItemsProps) {
  const translate = useTranslate();

  return (
    <>
      <DropdownMenuLabel className="tss:flex tss:items-center tss:gap-3">
        <AvatarPicture user={user} />
        {user ? <UserInfo user={user} /> : translate('userButton.signedOut')}
      </DropdownMenuLabel>
      <DropdownMenuSeparator />
      <DropdownMenuGroup>{user ? <SignedInItems extraItems={extraItems} /> : <SignedOutItems />}</DropdownMenuGroup>
      {colorModeToggle && (
        <MenuItem icon={<SunMoon />} onSelect={colorModeToggle}>
          {translate('userButton.theme')}
        </MenuItem>
      )}
      {user && <SignOutItem />}
    </>
  );
}

function SignedInItems({ extraItems }: { extraItems: readonly UserButtonItem[] }) {
  const { urls } = useApp();
  const translate = useTranslate();
  const goTo = useNavigateTo();

  return (
    <>
      <MenuItem icon={<CircleUserRound />} onSelect={() => goTo(urls.accountSettings)}>
        {translate('settings.title')}
      </MenuItem>
      {extraItems.map(({ text, icon, onClick }) => (
        <MenuItem key={text} icon={icon} onSelect={onClick}>
          {text}
        </MenuItem>
      ))}
    </>
  );
}

function SignedOutItems() {
  const app = useApp();
  const translate = useTranslate();

  return (
    <>
      <MenuItem icon={<LogIn />} onSelect={() => app.redirectToSignIn()}>
        {translate('action.signIn')}
      </MenuItem>
      <MenuItem icon={<UserRoundPlus />} onSelect={() => app.redirectToSignUp()}>
        {translate('action.signUp')}
      </MenuItem>
    </>
  );
}

function SignOutItem() {
  const app = useApp();
  const translate = useTranslate();

  return (
    <MenuItem icon={<LogOut />} onSelect={() => app.signOut()}>
      {translate('action.signOut')}
    </MenuItem>
  );
}

function UserInfo({ user }: { user: AvatarUser }) {
  const { displayName, primaryEmail } = user;

  return (
    <span className="tss:grid tss:min-w-0 tss:text-start">
      <span className="tss:truncate tss:font-medium">{displayName || primaryEmail}</span>
      {displayName && primaryEmail && (
        <span className="tss:truncate tss:text-sm tss:font-normal tss:text-muted-foreground">{primaryEmail}</span>
      )}
    </span>
  );
}
