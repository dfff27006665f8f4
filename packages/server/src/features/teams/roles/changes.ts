import type { Transaction } from '../../../platform/database/database.ts';
import { changeTeamGrants } from '../../permissions/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import type { Membership } from '../rules.ts';
import type { GrantChange } from './rules.ts';

interface GrantsOfMember extends Membership {
  readonly projectId: string;
  readonly plan: GrantChange;
  readonly nowMillis: number;
}

/** Changes the direct permissions of a member, and sends a webhook for each change. */
export async function applyGrants(tx: Transaction, change: GrantsOfMember): Promise<void> {
  const { projectId, teamId, userId, plan, nowMillis } = change;
  const { revoked, granted } = await changeTeamGrants(tx, projectId, { teamId, userId }, plan);
  const member = { team_id: teamId, user_id: userId };
  for (const id of revoked) {
    await publishEvent(tx, { projectId, type: 'team_permission.deleted', data: { id, ...member }, nowMillis });
  }
  for (const id of granted) {
    await publishEvent(tx, { projectId, type: 'team_permission.created', data: { id, ...member }, nowMillis });
  }
}
