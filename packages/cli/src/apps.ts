import { AdminApp, ServerApp } from '@tessera/client';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { findLogin } from './logins.ts';
import { assertReachable } from './reach.ts';
import { hasEnded, isOwner, type Owner, userOf } from './session.ts';
import type { Target } from './target.ts';

/** What commands need of users; an admin app has it, too. */
export type UsersApp = Pick<ServerApp<false>, 'listUsers' | 'createUser' | 'getUser'>;

/** Whoever is logged in to the project `internal` of a server; undefined when nobody is. */
async function findOwner(io: Io, apiUrl: string): Promise<Owner | undefined> {
  const login = findLogin(io.configFolder, { apiUrl, projectId: 'internal' });
  if (login === undefined) return undefined;
  await assertReachable(apiUrl);
  const user = await userOf(io, login);
  if (user === null) throw hasEnded(login);
  if (!isOwner(user)) throw new Failure(`The login at ${apiUrl} is not one to the project internal.`);
  return user;
}

/** @throws when nobody is logged in */
export async function ownerAt(io: Io, apiUrl: string): Promise<Owner> {
  const owner = await findOwner(io, apiUrl);
  if (owner !== undefined) return owner;
  throw new Failure(
    `You are not logged in as an owner at ${apiUrl}. Log in first: tessera login --api-url ${apiUrl} --project internal`,
  );
}

/** The project with the rights of its owner: by its admin key, else by an owner's login. */
export async function adminApp(io: Io, target: Target): Promise<AdminApp<false>> {
  const { apiUrl, projectId, superSecretAdminKey, secretServerKey = '', publishableClientKey = '' } = target;
  const common = { tokenStore: null, baseUrl: apiUrl, projectId };
  if (superSecretAdminKey === undefined) {
    const owner = (await findOwner(io, apiUrl)) ?? noWayIn(target, 'TESSERA_SUPER_SECRET_ADMIN_KEY');
    return new AdminApp({ ...common, projectOwnerSession: owner._internalSession });
  }
  await assertReachable(apiUrl);
  return new AdminApp({ ...common, publishableClientKey, secretServerKey, superSecretAdminKey });
}

/** The project with the rights of a server: by its secret key, else by an owner's login. */
export async function serverApp(io: Io, target: Target): Promise<UsersApp> {
  const { apiUrl, projectId, secretServerKey, publishableClientKey = '' } = target;
  const common = { tokenStore: null, baseUrl: apiUrl, projectId };
  if (secretServerKey === undefined) {
    const owner = (await findOwner(io, apiUrl)) ?? noWayIn(target, 'TESSERA_SECRET_SERVER_KEY');
    return new AdminApp({ ...common, projectOwnerSession: owner._internalSession });
  }
  await assertReachable(apiUrl);
  return new ServerApp({ ...common, publishableClientKey, secretServerKey });
}

function noWayIn({ apiUrl, projectId }: Target, variable: string): never {
  throw new Failure(
    `There is no key for project ${projectId} at ${apiUrl}. Set ${variable}, or log in as its owner: tessera login --api-url ${apiUrl} --project internal`,
  );
}
