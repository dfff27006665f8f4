import { ownPasskeyEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { deviceOf } from '../../../platform/network/device.ts';
import { clientWriteUses, type RateLimits, requestUses } from '../../../platform/rate-limits/index.ts';
import { selectChannels } from '../../accounts/contact-channels/index.ts';
import {
  assertOtherMethod,
  deletePasskey,
  renamePasskey,
  selectOwnPasskeys,
  selectPasskey,
} from '../../accounts/credentials/index.ts';
import {
  assertNotImpersonated,
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
import { assertPasskeysEnabled, promptNameOf, userHandleOf } from './rules.ts';
import { ownPasskeyView } from './wire.ts';

export interface OwnPasskeyDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
}

/** The passkeys of the caller, one by one (docs/contract/decisions.md#account-safety). */
export function ownPasskeyRoutes(deps: OwnPasskeyDeps): BoundRoute[] {
  return [
    bind(ownPasskeyEndpoints.list, async ({ project, user }) => {
      const passkeys = await selectOwnPasskeys(deps.db, { projectId: project.id, userId: user.id });
      const account = { user_handle: userHandleOf(user.id), user_name: promptNameOf(user) };
      const items = passkeys.map(passkey =>
        ownPasskeyView(passkey, passkey.userAgent === null ? null : deviceOf(passkey.userAgent)),
      );
      return { items, is_paginated: false, ...account } as const;
    }),

    // A credential id is random, so that asking for one reveals nothing to a caller who does not have it.
    bind(ownPasskeyEndpoints.check, async call => {
      assertPasskeysEnabled(call.project.config);
      await deps.rateLimits.spend(requestUses('passkeyChallengesPerAddress', call));
      const passkey = await selectPasskey(deps.db, call.project.id, call.body.passkey_id);
      return { is_known: passkey !== undefined };
    }),

    bind(ownPasskeyEndpoints.rename, async call => {
      const { project, user, params, body } = call;
      await assertNotImpersonated(call, deps.db);
      await deps.rateLimits.spend(clientWriteUses(call));
      const change = { credentialId: params.passkey_id, name: body.name };
      await transaction(deps.db, async tx => {
        await lockUser(tx, { projectId: project.id, userId: user.id }, 'hold');
        await holdCallerSession(tx, call, deps);
        if (!(await renamePasskey(tx, { projectId: project.id, userId: user.id }, change))) refuseUnknown();
      });
      return { success: true } as const;
    }),

    bind(ownPasskeyEndpoints.remove, async call => {
      const { project, params } = call;
      await assertRecentSignIn(call, deps);
      const id = { projectId: project.id, userId: call.user.id };
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        // Concurrent removals wait, so that one of them is the last and is refused.
        await lockUser(tx, id, 'change');
        await holdCallerSession(tx, call, deps);
        const [user, passkeys] = [await selectUser(tx, id.projectId, id.userId), await selectOwnPasskeys(tx, id)];
        if (user === null || !passkeys.some(({ credentialId }) => credentialId === params.passkey_id)) refuseUnknown();
        const channels = await selectChannels(tx, id.projectId, { userId: id.userId, channelId: undefined });
        assertOtherMethod({ ...user, passkeyCount: passkeys.length - 1, channels }, project.config);
        await deletePasskey(tx, id, params.passkey_id);
        await deleteAttempts(tx, id);
        const data = serverUser({ ...user, hasPasskey: passkeys.length > 1 });
        if (passkeys.length === 1)
          await publishEvent(tx, { projectId: project.id, type: 'user.updated', data, nowMillis });
        const notice = { notice: 'passkey_removed', to: [user.primaryEmail], about: {} } as const;
        await sendAccountNotice(tx, { ...id, ...notice, by: call }, deps);
        const event = { action: 'factor.passkey_removed', userId: user.id, atMillis: nowMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
      });
      return { success: true } as const;
    }),
  ];
}

function refuseUnknown(): never {
  refuse(404, 'You have no such passkey.');
}
