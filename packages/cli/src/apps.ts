import { AdminApp, ServerApp } from '@tessera/client';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { findLogin } from './logins.ts';
import { assertReachable } from './reach.ts';
import { fetchUser, isOwner, type Owner, sessionEnded } from './session.ts';
import type { Target } from './target.ts';

/** What commands need to manage users. A server app and an admin app both offer it. */
export type UsersApp = Pick<ServerApp<false>, 'listUsers' | 'createUser' | 'getUser'>;

/** The user who is logged in to the project `internal` of a server; undefined without a login. */
async function findOwner(io: Io, apiUrl: string): Promise<Owner | undefined> {
  const login = findLogin(io.configFolder, { apiUrl, projectId: 'internal' });
  if (login === undefined) return undefined;
  await assertReachable(apiUrl);
  const user = await fetchUser(io, login);
  if (user === null) throw sessionEnded(login);
  if (!isOwner(user)) throw new Failure(`The login at ${apiUrl} is not for the project internal.`);
  return user;
}

/** @throws when there is no login */
export async function requireOwner(io: Io, apiUrl: string): Promise<Owner> {
  const owner = await findOwner(io, apiUrl);
  if (owner !== undefined) return owner;
  throw new Failure(
    `You are not logged in as an owner at ${apiUrl}. Log in first: tessera login --api-url ${apiUrl} --project internal`,
  );
}

/** The project with the rights of its owner: by its admin key, otherwise by the login of an owner. */
export async function openAdminApp(io: Io, target: Target): Promise<AdminApp<false>> {
  const { apiUrl, projectId, superSecretAdminKey, secretServerKey = '', publishableClientKey = '' } = target;
  const common = { tokenStore: null, baseUrl: apiUrl, projectId };
  if (superSecretAdminKey === undefined) {
    const owner = (await findOwner(io, apiUrl)) ?? failWithoutCredentials(target, 'TESSERA_SUPER_SECRET_ADMIN_KEY');
    return new AdminApp({ ...common, projectOwnerSession: owner._internalSession });
  }
  await assertReachable(apiUrl);
  return new AdminApp({ ...common, publishableClientKey, secretServerKey, superSecretAdminKey });
}

/** The project with the rights of a server: by its secret key, otherwise by the login of an owner. */
export async function openServerApp(io: Io, target: Target): Promise<UsersApp> {
  const { apiUrl, projectId, secretServerKey, publishableClientKey = '' } = target;
  const common = { tokenStore: null, baseUrl: apiUrl, projectId };
  if (secretServerKey === undefined) {
    const owner = (await findOwner(io, apiUrl)) ?? failWithoutCredentials(target, 'TESSERA_SECRET_SERVER_KEY');
    return new AdminApp({ ...common, projectOwnerSession: owner._internalSession });
  }
  await assertReachable(apiUrl);
  return new ServerApp({ ...common, publishableClientKey, secretServerKey });
}

function failWithoutCredentials({ apiUrl, projectId }: Target, variable: string): never {
  throw new Failure(
    `There is no key for project ${projectId} at ${apiUrl}. Set ${variable}, or log in as its owner: tessera login --api-url ${apiUrl} --project internal`,
  );
}
