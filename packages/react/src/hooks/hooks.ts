import type { TokenStoreInit } from '@tessera/client';
import { useContext } from 'react';
import type { ClientApp } from '../app/apps.ts';
import { TesseraContext } from '../app/context.ts';
import type { CurrentUser, OwnerHooks } from './hooked-types.ts';
import type { UseUserOptions } from './user-hook.ts';

/** A guard against two providers: the project that the component expects. */
interface ProjectMatch<ProjectId extends string = string> {
  readonly projectIdMustMatch?: ProjectId | undefined;
}

/**
 * The app of the surrounding provider.
 *
 * @throws outside of a `TesseraProvider`, and when the app belongs to another project than `projectIdMustMatch`.
 * @example
 * const app = useApp();
 * return <a href={app.urls.signUp}>Sign up</a>;
 */
export function useApp<const ProjectId extends string = string>({
  projectIdMustMatch,
}: ProjectMatch<ProjectId> = {}): ClientApp<true, ProjectId> {
  const { app } = useContext(TesseraContext) ?? {};
  if (app === undefined) {
    throw new TypeError('Put a <TesseraProvider> around your app.');
  }
  if (projectIdMustMatch !== undefined && projectIdMustMatch !== app.projectId) {
    throw new TypeError(`The app belongs to project ${app.projectId}, but ${projectIdMustMatch} was expected.`);
  }
  // Its project was compared, which the type does not show.
  return app as unknown as ClientApp<true, ProjectId>;
}

interface Nullable {
  /** Default `return-null`. */
  readonly or?: 'return-null' | 'redirect' | 'throw' | 'anonymous' | 'anonymous-if-exists' | undefined;
  /** Takes precedence over the token store of the app. */
  readonly tokenStore?: TokenStoreInit | undefined;
}

/** For a dashboard of project `internal`, whose users own projects. */
interface InternalMatch {
  readonly projectIdMustMatch: 'internal';
}

/**
 * The signed-in user of the provider's app. Suspends while it is loading, renders again when it changes, in this tab or
 * another. `redirect` goes to the sign-in page and suspends, `throw` fails when no user is signed in, `anonymous` creates
 * an anonymous account.
 *
 * @example
 * const user = useUser({ or: 'redirect' });
 */
export function useUser(
  options: Nullable & InternalMatch & { readonly or: 'redirect' | 'throw' | 'anonymous' },
): CurrentUser & OwnerHooks;
export function useUser(
  options: Nullable & ProjectMatch & { readonly or: 'redirect' | 'throw' | 'anonymous' },
): CurrentUser;
/**
 * The signed-in user, or null. An anonymous user counts as null unless `or` is `anonymous-if-exists`.
 *
 * @example
 * const name = useUser()?.displayName ?? 'visitor';
 */
export function useUser(options: Nullable & InternalMatch): (CurrentUser & OwnerHooks) | null;
export function useUser(options?: Nullable & ProjectMatch): CurrentUser | null;
export function useUser({ projectIdMustMatch, ...options }: UseUserOptions & ProjectMatch = {}): CurrentUser | null {
  const app = useApp(projectIdMustMatch === undefined ? {} : { projectIdMustMatch });
  return app.useUser(options);
}
