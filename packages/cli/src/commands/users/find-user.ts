import type { ServerUser } from '@tessera/client';
import type { UsersApp } from '../../apps.ts';
import { Failure } from '../../failure.ts';

/** Users that are read at once. */
const pageUsers = 1_000;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a user by id, otherwise by primary address. Several users may share an address when at most one signs in with it. */
export async function findUser(app: UsersApp, which: string): Promise<ServerUser> {
  if (uuid.test(which)) return (await app.getUser(which)) ?? failUnknownUser(which);
  const address = which.toLowerCase();
  const [user, ...others] = address.includes('@') ? await listUsersAt(app, address) : [];
  if (others.length > 0) {
    throw new Failure(`Several users have the address ${which}. Name one by id: tessera users list --query ${which}`);
  }
  return user ?? failUnknownUser(which);
}

/** Every user with the address: the search also finds users whose address or name contains it, thousands for a short one. */
async function listUsersAt(app: UsersApp, address: string): Promise<ServerUser[]> {
  const found: ServerUser[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await app.listUsers({ query: address, limit: pageUsers, ...(cursor != null && { cursor }) });
    found.push(...page.filter(({ primaryEmail }) => primaryEmail === address));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

function failUnknownUser(which: string): never {
  throw new Failure(
    `There is no user ${which}. Name a user by id or primary email address. To search: tessera users list --query ${which}`,
  );
}
