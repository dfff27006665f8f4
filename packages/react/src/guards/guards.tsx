import type { HasId, PermissionId } from '@tessera/client';
import type { ReactNode } from 'react';
import type { CurrentUser } from '../hooks/hooked-types.ts';
import { useUser } from '../hooks/hooks.ts';

/** Props of `SignedIn` and `SignedOut`. */
export interface SignedInProps {
  /** Shown in this state. */
  children?: ReactNode;
}

/**
 * Shows its children to signed-in users. Suspends while the user is loading. It hides and protects nothing on the server:
 * check the user there, too.
 *
 * @example
 * <SignedIn>
 *   <UserButton />
 * </SignedIn>
 */
export function SignedIn({ children }: SignedInProps): ReactNode {
  return useUser() === null ? null : children;
}

/**
 * Shows its children to visitors who are not signed in. Suspends while the user is loading.
 *
 * @example
 * <SignedOut>
 *   <a href={app.urls.signIn}>Sign in</a>
 * </SignedOut>
 */
export function SignedOut({ children }: SignedInProps): ReactNode {
  return useUser() === null ? children : null;
}

/** Props of `Protect`. */
export interface ProtectProps {
  /** The permission that the user needs. Default: every signed-in user sees the children. */
  permission?: PermissionId | undefined;
  /** The team in which the user needs the permission. Default: the whole project. */
  team?: HasId | undefined;
  /** Shown to everyone else. Default: nothing. */
  fallback?: ReactNode;
  children?: ReactNode;
}

/**
 * Shows its children to users with a permission, in a team or in the whole project. Suspends while it is loading. It
 * hides and protects nothing on the server: check the permission there, too.
 *
 * @example
 * <Protect permission="invoices:read" team={team} fallback={<p>Ask an owner of the team.</p>}>
 *   <Invoices />
 * </Protect>
 */
export function Protect({ permission, team, fallback = null, children }: ProtectProps): ReactNode {
  const user = useUser();
  if (user === null) return fallback;
  if (permission === undefined) return children;
  return (
    <Permitted user={user} permission={permission} team={team} fallback={fallback}>
      {children}
    </Permitted>
  );
}

interface PermittedProps extends ProtectProps {
  user: CurrentUser;
  permission: PermissionId;
}

function Permitted({ user, permission, team, fallback, children }: PermittedProps): ReactNode {
  const which = team === undefined ? ([permission] as const) : ([team, permission] as const);
  return user.usePermission(...which) === null ? fallback : children;
}
