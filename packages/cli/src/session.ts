import { ClientApp, type CurrentUser, type InternalUserPart } from '@tessera/client';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { type Login, renewLogin } from './logins.ts';

/** A user of the project `internal`, who can own projects. */
export type Owner = CurrentUser & InternalUserPart;

/** The user of a login; null when the session has ended. Saves a rotated refresh token. */
export async function fetchUser(io: Io, login: Login): Promise<CurrentUser | null> {
  const { apiUrl, projectId, publishableClientKey, refreshToken } = login;
  const tokenStore = { accessToken: null, refreshToken };
  const app = new ClientApp({ tokenStore, projectId, publishableClientKey, baseUrl: apiUrl });
  const user = await app.getUser();
  if (user === null) return null;
  let kept = refreshToken;
  const keep = () => {
    const { refreshToken: newest } = user._internalSession.tokens;
    if (newest === null || newest === kept) return;
    kept = newest;
    renewLogin(io.configFolder, login, newest);
  };
  user._internalSession.onChange(keep);
  keep();
  return user;
}

export function sessionEnded({ apiUrl, projectId }: Login): Failure {
  return new Failure(
    `Your login to project ${projectId} at ${apiUrl} has ended. Log in again: tessera login --api-url ${apiUrl} --project ${projectId}`,
  );
}

/** Whether a user has the properties of users of `internal`. */
export function isOwner(user: CurrentUser): user is Owner {
  return 'listOwnedProjects' in user;
}
