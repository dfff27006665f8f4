import { fail, signInBlockEndpoints } from '@tessera/protocol';
import type { Project } from '../../core/project.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Queryable, transaction } from '../../platform/database/database.ts';
import {
  deleteFailedSignIns,
  failedSignInCounters,
  type RateLimits,
  selectSignInBlocks,
} from '../../platform/rate-limits/index.ts';
import { selectChannels } from '../accounts/contact-channels/index.ts';
import { selectUser } from '../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../audit/index.ts';
import { signInBlockView } from './wire.ts';

export interface SignInBlockDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
}

/** docs/contract/user-administration.md#blocked-sign-ins */
export function signInBlockRoutes(deps: SignInBlockDeps): BoundRoute[] {
  return [
    bind(signInBlockEndpoints.list, async ({ project, params }) => {
      const { counters } = await countersOf(deps.db, project, params.user_id);
      const blocks = await selectSignInBlocks(deps.db, counters);
      return { items: blocks.map(signInBlockView), is_paginated: false } as const;
    }),

    bind(signInBlockEndpoints.remove, async call => {
      await transaction(deps.db, async tx => {
        const { counters, userId } = await countersOf(tx, call.project, call.params.user_id);
        if (!(await deleteFailedSignIns(tx, counters))) return;
        const event = { action: 'user.sign_in_allowed', userId, atMillis: deps.clock.now() } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        tx.afterCommit(deps.rateLimits.forgetFailedSignIns);
      });
      return { success: true } as const;
    }),
  ];
}

/** Failed attempts count for the id of a user or for the address that was named. */
async function countersOf(db: Queryable, project: Project, userId: string) {
  const user = (await selectUser(db, project.id, userId)) ?? fail('USER_NOT_FOUND');
  const channels = await selectChannels(db, project.id, { userId: user.id, channelId: undefined });
  const accounts = [user.id, ...channels.map(({ value }) => value)];
  return { userId: user.id, counters: failedSignInCounters(project, accounts) };
}
