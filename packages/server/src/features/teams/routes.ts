import { teamEndpoints, teamListEndpoints, teamListPageDefault } from '@tessera/protocol';
import type { Settings } from '../../env.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { createReadTurns } from '../../http/list-turns.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { shrinkToFit } from '../../platform/database/shrink-to-fit.ts';
import type { ConvertImage } from '../../platform/images.ts';
import { clientCreationUses, clientWriteUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { holdCaller, serverTeam } from '../accounts/users/index.ts';
import { imagesUrl, storeImage } from '../images/index.ts';
import type { PermissionDefinitions } from '../permissions/index.ts';
import type { Projects } from '../projects/index.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import {
  assertClientMay,
  failNoTeam,
  holdClientMay,
  type Need,
  normalizeTeamId,
  requesterOf,
  type TeamCaller,
} from './access.ts';
import { createTeam } from './creation.ts';
import { removeTeam } from './deletion.ts';
import { selectTeamPage } from './listing-store.ts';
import { assertTeamFields, resolveCreator, resolveListedUser } from './rules.ts';
import { selectTeam, selectTeams, selectTeamsOf, updateTeam } from './store.ts';
import { newTeamFields, teamFields, teamView } from './wire.ts';

interface TeamRoutesDeps {
  readonly settings: Pick<Settings, 'publicUrl'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly rateLimits: RateLimits;
  readonly convertImage: ConvertImage;
  readonly projects: Projects;
}

const signedOut = 'USER_AUTHENTICATION_REQUIRED';
const toRead: Need = { permissions: [], signedOut };
const toUpdate: Need = { permissions: ['$update_team'], signedOut };
const toDelete: Need = { permissions: ['$delete_team'], signedOut };

/**
 * The lists of a user are read one after the other. The metadata of many teams is megabytes, and concurrent lists of one user
 * would take all connections and most of the time of the process.
 */
const turnsOfUser = {
  atOnce: 1,
  maxWaiting: 100,
  refusal: 'Too many lists of the teams of this user are read at once.',
};

export function teamRoutes(deps: TeamRoutesDeps): BoundRoute[] {
  const inTurn = createReadTurns(turnsOfUser);
  return [
    bind(teamEndpoints.list, async call => {
      const { project } = call;
      const userId = resolveListedUser(call.targetUserId, requesterOf(call));
      const teams = await (userId === undefined
        ? selectTeams(deps.db.reads, project.id)
        : inTurn(`${project.id} ${userId}`, () => selectTeamsOf(deps.db.reads, project.id, userId)));
      return { items: teams.map(team => teamView(team, call.level)), is_paginated: false } as const;
    }),

    bind(teamListEndpoints.list, async ({ project, query }) => {
      const { order = 'newest', query: search, cursor } = query;
      return shrinkToFit(query.limit ?? teamListPageDefault, async limit => {
        const found = await selectTeamPage(deps.db.reads, project.id, { order, search, cursor, limit: limit + 1 });
        const items = found.slice(0, limit).map(serverTeam);
        return { items, is_paginated: true, pagination: { next_cursor: found[limit]?.id ?? null } } as const;
      });
    }),

    bind(teamEndpoints.create, async call => {
      const { project, body, query } = call;
      const fields = newTeamFields(body);
      const request = {
        fields,
        creatorUserId: call.targetUserId,
        addsCurrentUser: query.add_current_user === 'true',
        imagesUrl: imagesUrl(deps.settings, project.id),
      };
      const creatorUserId = resolveCreator(request, requesterOf(call), project.config);
      await deps.rateLimits.spend([...clientCreationUses('teamCreationsPerUser', call), ...clientWriteUses(call)]);
      const stored = { ...fields, profileImageUrl: await storeImage(fields.profileImageUrl, call, deps) };
      const nowMillis = deps.clock.now();
      const team = await transaction(deps.db, async tx => {
        await holdCaller(tx, call, deps);
        return createTeam(tx, project, { fields: stored, creatorUserId, isSelected: false, nowMillis });
      });
      return teamView(team, call.level);
    }),

    bind(teamEndpoints.read, async call => {
      const teamId = normalizeTeamId(call.params.team_id);
      await assertClientMay(deps, call, teamId, toRead);
      const team = await selectTeam(deps.db, call.project.id, teamId);
      return teamView(team ?? failNoTeam(call, teamId), call.level);
    }),

    bind(teamEndpoints.update, async call => {
      const projectId = call.project.id;
      const teamId = normalizeTeamId(call.params.team_id);
      const fields = teamFields(call.body);
      assertTeamFields(fields, call.level, imagesUrl(deps.settings, projectId));
      await assertClientMay(deps, call, teamId, toUpdate);
      await spendChange(call, teamId, deps);
      const stored = { ...fields, profileImageUrl: await storeImage(fields.profileImageUrl, call, deps) };
      const nowMillis = deps.clock.now();
      const team = await transaction(deps.db, async tx => {
        await holdClientMay(tx, call, { teamId, need: toUpdate }, deps);
        const updated = (await updateTeam(tx, projectId, teamId, stored)) ?? failNoTeam(call, teamId);
        await publishEvent(tx, { projectId, type: 'team.updated', data: serverTeam(updated), nowMillis });
        return updated;
      });
      return teamView(team, call.level);
    }),

    bind(teamEndpoints.delete, async call => {
      const projectId = call.project.id;
      const teamId = normalizeTeamId(call.params.team_id);
      await assertClientMay(deps, call, teamId, toDelete);
      const assertMay = (tx: Transaction) => holdClientMay(tx, call, { teamId, need: toDelete }, deps);
      const removal = { projectId, teamId, callerId: call.user?.id ?? null, assertMay };
      if (!(await removeTeam(removal, deps))) failNoTeam(call, teamId);
      return { success: true } as const;
    }),
  ];
}

/** @throws LimitReached for a client */
async function spendChange(call: TeamCaller, teamId: string, { db, rateLimits }: TeamRoutesDeps): Promise<void> {
  if (call.level !== 'client') return;
  await rateLimits.spend(clientWriteUses(call, await selectTeam(db, call.project.id, teamId)));
}
