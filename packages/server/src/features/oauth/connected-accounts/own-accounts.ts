import { fail, ownAccountEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { selectChannels } from '../../accounts/contact-channels/index.ts';
import {
  assertOtherMethod,
  type ConnectedAccount,
  deleteOAuthAccountsAt,
  selectConnectedAccounts,
  selectOwnPasskeys,
} from '../../accounts/credentials/index.ts';
import {
  assertRecentSignIn,
  holdCallerSession,
  lockUser,
  selectUser,
  sendAccountNotice,
  serverUser,
} from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { deleteAttempts } from '../../verification-codes/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import { providerName } from '../rules.ts';
import { endPendingFlows } from '../store.ts';

export interface OwnAccountDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
}

/** The provider accounts of the caller (docs/contract/decisions.md#account-safety). */
export function ownAccountRoutes(deps: OwnAccountDeps): BoundRoute[] {
  return [
    bind(ownAccountEndpoints.list, async ({ project, user }) => {
      const accounts = await selectConnectedAccounts(deps.db.reads, { projectId: project.id, userId: user.id });
      return { items: accounts.map(ownAccountView), is_paginated: false } as const;
    }),

    bind(ownAccountEndpoints.disconnect, async call => {
      const { project, params } = call;
      const providerId = params.provider_id;
      await assertRecentSignIn(call, deps);
      const id = { projectId: project.id, userId: call.user.id };
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        // Concurrent removals wait, so that one of them is the last and is refused.
        await lockUser(tx, id, 'change');
        await holdCallerSession(tx, call, deps);
        const user = await selectUser(tx, id.projectId, id.userId);
        const deletedCount = await deleteOAuthAccountsAt(tx, id, providerId);
        if (user === null || deletedCount === 0) fail('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
        await endPendingFlows(tx, id, providerId);
        await deleteAttempts(tx, id);
        const oauthAccounts = user.oauthAccounts.filter(account => account.id !== providerId);
        const passkeyCount = (await selectOwnPasskeys(tx, id)).length;
        const channels = await selectChannels(tx, id.projectId, { userId: id.userId, channelId: undefined });
        assertOtherMethod({ ...user, oauthAccounts, passkeyCount, channels }, project.config);
        const data = serverUser({ ...user, oauthAccounts });
        await publishEvent(tx, { projectId: project.id, type: 'user.updated', data, nowMillis });
        const about = { providerName: providerName(providerId) };
        const notice = { notice: 'provider_unlinked', to: [user.primaryEmail], about } as const;
        await sendAccountNotice(tx, { ...id, ...notice, by: call }, deps);
        const details = { provider: providerId };
        const event = { action: 'factor.provider_unlinked', userId: user.id, details, atMillis: nowMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
      });
      return { success: true } as const;
    }),
  ];
}

function ownAccountView({ providerId, displayName, email, createdAtMillis }: ConnectedAccount) {
  return { provider_id: providerId, name: displayName, email, connected_at_millis: createdAtMillis };
}
