import { randomUUID } from 'node:crypto';
import { contactChannelEndpoints, fail } from '@tessera/protocol';
import type { AuditedCall } from '../../../core/audit-event.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { channelAdditionUses, clientWriteUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import {
  assertMayAddChannel,
  assertRecentSignIn,
  holdCallerSession,
  lockUser,
  normalizedEmail,
  refreshSearch,
  selectUser,
  sendAccountNotice,
} from '../users/index.ts';
import { AddressTaken, claimAddress } from './claims-store.ts';
import {
  applyChannelPatch,
  assertMayHaveAddress,
  channelAction,
  channelNotices,
  resolveChannelOwner,
} from './rules.ts';
import {
  AlreadyThere,
  type ContactChannel,
  clearPrimary,
  countChannels,
  deleteChannel,
  insertChannel,
  selectChannel,
  updateChannel,
} from './store.ts';
import { channelPatch, channelView } from './wire.ts';

export interface ChannelChangeDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
}

/** Adding, changing and deleting channels. */
export function channelChangeRoutes(deps: ChannelChangeDeps): BoundRoute[] {
  return [
    bind(contactChannelEndpoints.create, async call => {
      const { body, project } = call;
      const userId = resolveChannelOwner(call);
      await assertRecentSignIn(call, deps);
      await deps.rateLimits.spend(channelAdditionUses(call, userId));
      const channel: ContactChannel = {
        id: randomUUID(),
        userId,
        value: normalizedEmail(body.value),
        isPrimary: body.is_primary ?? false,
        isVerified: body.is_verified ?? false,
        usedForAuth: body.used_for_auth,
      };
      assertMayHaveAddress({ before: null, after: channel }, call);
      const nowMillis = deps.clock.now();
      await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, { projectId: project.id, userId }, 'change'))) fail('USER_NOT_FOUND');
        await holdCallerSession(tx, call, deps);
        await recordAndNotify(tx, call, { before: null, after: channel }, deps);
        assertMayAddChannel(await countChannels(tx, project.id, userId));
        if (channel.isPrimary) await clearPrimary(tx, project.id, userId);
        await claimAddress(tx, { projectId: project.id, userId, nowMillis }, channel);
        await insertChannel(tx, project.id, { ...channel, createdAtMillis: nowMillis });
        await refreshSearch(tx, project.id, userId);
      }).catch(error => refuseConflict(error, channel.value));
      return channelView(channel);
    }),

    bind(contactChannelEndpoints.update, async call => {
      const userId = resolveChannelOwner(call);
      const patch = channelPatch(call.body);
      const projectId = call.project.id;
      await assertRecentSignIn(call, deps);
      const isAddition = patch.value !== undefined || patch.usedForAuth === true;
      await deps.rateLimits.spend([...(isAddition ? channelAdditionUses(call, userId) : []), ...clientWriteUses(call)]);
      return transaction(deps.db, async tx => {
        await lockUser(tx, { projectId, userId }, 'change');
        await holdCallerSession(tx, call, deps);
        const channel = await selectChannel(tx, projectId, userId, call.params.contact_channel_id);
        if (channel === undefined) refuse(400, 'There is no such contact channel.');
        const changed = applyChannelPatch(channel, patch);
        assertMayHaveAddress({ before: channel, after: changed }, call);
        await recordAndNotify(tx, call, { before: channel, after: changed }, deps);
        await claimAddress(tx, { projectId, userId, nowMillis: deps.clock.now() }, changed);
        await writeChannel(tx, projectId, channel, changed);
        return channelView(changed);
      }).catch(error => refuseConflict(error, null));
    }),

    bind(contactChannelEndpoints.delete, async call => {
      const userId = resolveChannelOwner(call);
      await assertRecentSignIn(call, deps);
      await transaction(deps.db, async tx => {
        await lockUser(tx, { projectId: call.project.id, userId }, 'change');
        await holdCallerSession(tx, call, deps);
        const channel = await selectChannel(tx, call.project.id, userId, call.params.contact_channel_id);
        if (channel === undefined) refuse(400, 'There is no such contact channel.');
        await recordAndNotify(tx, call, { before: channel, after: null }, deps);
        await deleteChannel(tx, call.project.id, userId, channel.id);
        await refreshSearch(tx, call.project.id, userId);
      });
      return { success: true } as const;
    }),
  ];
}

/** Records and sends notices. Call it before the change: notices go to the previous primary address, too. */
async function recordAndNotify(
  tx: Transaction,
  call: AuditedCall,
  { before, after }: { before: ContactChannel | null; after: ContactChannel | null },
  deps: { readonly clock: Clock; readonly mail: Mail },
): Promise<void> {
  const channel = before ?? after;
  if (channel === null) return;
  const { userId } = channel;
  const projectId = call.project.id;
  const action = channelAction(before, after);
  const subject = { type: 'contact_channel', id: channel.id };
  await recordAudit(tx, { ...auditedBy(call), action, userId, subject, atMillis: deps.clock.now() });
  const user = await selectUser(tx, projectId, userId);
  for (const notice of channelNotices(before, after, user?.primaryEmail ?? null)) {
    await sendAccountNotice(tx, { projectId, userId, ...notice, by: call }, deps);
  }
}

async function writeChannel(
  tx: Transaction,
  projectId: string,
  before: ContactChannel,
  after: ContactChannel,
): Promise<void> {
  if (after.isPrimary && !before.isPrimary) await clearPrimary(tx, projectId, after.userId);
  await updateChannel(tx, projectId, after);
  if (after.value !== before.value) await refreshSearch(tx, projectId, after.userId);
}

function refuseConflict(error: unknown, address: string | null): never {
  if (error instanceof AlreadyThere) refuse(400, 'The user has this address already.');
  if (!(error instanceof AddressTaken)) throw error;
  fail('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', { type: 'email', contact_channel_value: address });
}
