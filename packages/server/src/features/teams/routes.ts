import { teamEndpoints } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { transaction } from '../../platform/database/database.ts';
import { clientWriteUses } from '../../platform/rate-limits/index.ts';
import { imagesUrl, storeImage } from '../images/index.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import { askerOf, assertClientMay, failNoTeam, type Need, normalizeTeamId, userIdOf } from './access.ts';
import { createTeam } from './creation.ts';
import { assertTeamFields, resolveCreator, resolveListedUser } from './rules.ts';
import { deleteTeam, selectTeam, selectTeams, selectTeamsOf, updateTeam } from './store.ts';
import { newTeamFields, teamFields, teamView, toServerTeam } from './wire.ts';

const signedOut = 'USER_AUTHENTICATION_REQUIRED';
const toRead: Need = { permissions: [], signedOut };
const toUpdate: Need = { permissions: ['$update_team'], signedOut };
const toDelete: Need = { permissions: ['$delete_team'], signedOut };

export function teamRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(teamEndpoints.list, async call => {
      const { project, query, user } = call;
      const asked = query.user_id === undefined ? undefined : userIdOf(query.user_id, user);
      const userId = resolveListedUser(asked, askerOf(call));
      const teams = await (userId === undefined
        ? selectTeams(deps.db, project.id)
        : selectTeamsOf(deps.db, project.id, userId));
      return { items: teams.map(team => teamView(team, call.level)), is_paginated: false } as const;
    }),

    bind(teamEndpoints.create, async call => {
      const { project, body, query, user } = call;
      const fields = newTeamFields(body);
      const given = body.creator_user_id === undefined ? undefined : userIdOf(body.creator_user_id, user);
      const request = {
        fields,
        creatorUserId: given,
        addsCurrentUser: query.add_current_user === 'true',
        imagesUrl: imagesUrl(deps.settings, project.id),
      };
      const creatorUserId = resolveCreator(request, askerOf(call), project.config);
      await deps.rateLimits.spend(clientWriteUses(call));
      const stored = { ...fields, profileImageUrl: await storeImage(fields.profileImageUrl, call, deps) };
      const nowMillis = deps.clock.now();
      const team = await transaction(deps.db, tx =>
        createTeam(tx, project, { fields: stored, creatorUserId, isSelected: false, nowMillis }),
      );
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
      await deps.rateLimits.spend(clientWriteUses(call));
      const stored = { ...fields, profileImageUrl: await storeImage(fields.profileImageUrl, call, deps) };
      const nowMillis = deps.clock.now();
      const team = await transaction(deps.db, async tx => {
        const updated = (await updateTeam(tx, projectId, teamId, stored)) ?? failNoTeam(call, teamId);
        await publishEvent(tx, { projectId, type: 'team.updated', data: toServerTeam(updated), nowMillis });
        return updated;
      });
      return teamView(team, call.level);
    }),

    bind(teamEndpoints.delete, async call => {
      const projectId = call.project.id;
      const teamId = normalizeTeamId(call.params.team_id);
      await assertClientMay(deps, call, teamId, toDelete);
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        if (!(await deleteTeam(tx, projectId, teamId))) failNoTeam(call, teamId);
        await publishEvent(tx, { projectId, type: 'team.deleted', data: { id: teamId }, nowMillis });
      });
      return { success: true } as const;
    }),
  ];
}
