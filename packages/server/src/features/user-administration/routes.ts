import { fail, userAdministrationEndpoints, userFilterPageMax } from '@tessera/protocol';
import { cursorOf, positionOf } from '../../core/page-cursor.ts';
import type { User } from '../../core/user.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type CreateUser, selectUser, serverUser, type UserChangeDeps } from '../accounts/users/index.ts';
import { type ImpersonationDeps, impersonate } from './impersonation.ts';
import { importUsers } from './import/import.ts';
import { createUserLink } from './links.ts';
import { type FilteredQuery, listFilteredUsers } from './listing.ts';
import { type SignInBlockDeps, signInBlockRoutes } from './sign-in-blocks.ts';
import { type SuspensionDeps, suspensionRoutes } from './suspension.ts';
import { filteredQuery, filteredUser } from './wire.ts';

type UserAdministrationDeps = UserChangeDeps & ImpersonationDeps & SignInBlockDeps & SuspensionDeps;

/** docs/contract/user-administration.md */
export function userAdministrationRoutes(deps: UserAdministrationDeps, createUser: CreateUser): BoundRoute[] {
  return [
    bind(userAdministrationEndpoints.list, async ({ project, query }) => {
      const at = query.cursor === undefined ? undefined : positionOf(query.cursor);
      const asked = { ...filteredQuery(query), at, limit: query.limit };
      const { users, next } = await listFilteredUsers(deps.db.reads, project.id, asked);
      const pagination = { next_cursor: next === undefined ? null : cursorOf(next) };
      return { items: users.map(filteredUser), is_paginated: true, pagination } as const;
    }),

    bind(userAdministrationEndpoints.export, ({ project, query }) =>
      exportUsers(deps.db.reads, project.id, filteredQuery(query)),
    ),

    bind(userAdministrationEndpoints.import, async call => ({
      results: await importUsers(call, { createUser, deps }),
    })),

    bind(userAdministrationEndpoints.createLink, async call => {
      const user = await requireUser(call, deps.db);
      return createUserLink(call, user, deps);
    }),

    bind(userAdministrationEndpoints.impersonate, async call => {
      const user = await requireUser(call, deps.db);
      return impersonate(call, { userId: user.id, reason: call.body.reason }, deps);
    }),

    ...signInBlockRoutes(deps),
    ...suspensionRoutes(deps),
  ];
}

/** Reads one page at a time, so a long export uses little memory and holds no transaction open. */
async function* exportUsers(db: Queryable, projectId: string, query: FilteredQuery) {
  let at = query.at;
  let limit = userFilterPageMax;
  do {
    const page = await listFilteredUsers(db, projectId, { ...query, at, limit });
    yield* page.users.map(serverUser);
    at = page.next;
    // Large users on this page: those on the next one are probably as large.
    limit = page.limit;
  } while (at !== undefined);
}

async function requireUser(
  { project, params }: { project: { id: string }; params: { user_id: string } },
  db: Queryable,
): Promise<User> {
  return (await selectUser(db, project.id, params.user_id)) ?? fail('USER_NOT_FOUND');
}
