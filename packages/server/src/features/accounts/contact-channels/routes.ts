import { randomUUID } from 'node:crypto';
import { type AccessLevel, contactChannelEndpoints, fail } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind, type Call } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { type Transaction, transaction } from '../../../platform/database/database.ts';
import { channelAdditionUses, mailUses } from '../../../platform/rate-limits/index.ts';
import { type AuditedCall, auditedBy, recordAudit } from '../../audit/index.ts';
import { checkCode, redeemCode } from '../../verification-codes/index.ts';
import {
  assertMayAddChannel,
  assertRecentSignIn,
  type CallUser,
  countChannels,
  holdCallerSession,
  holdUser,
  normalizedEmail,
  refreshSearch,
  releaseAddress,
  selectUser,
  sendAccountNotice,
} from '../users/index.ts';
import { assertTrusted, sendVerification } from './index.ts';
import { applyChannelPatch, channelAction, channelNotices, ownership } from './rules.ts';
import {
  AlreadyThere,
  type ContactChannel,
  clearPrimary,
  deleteChannel,
  insertChannel,
  lockUser,
  markVerified,
  selectChannel,
  selectChannels,
  UsedBySomeoneElse,
  updateChannel,
} from './store.ts';
import { channelPatch, channelView } from './wire.ts';

const success = { success: true } as const;

export function contactChannelRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(contactChannelEndpoints.list, async call => {
      const { user_id: asked, contact_channel_id: channelId } = call.query;
      const userId = resolveUserId(asked, call.user);
      assertOwn(call.level, call.user, userId);
      const channels = await selectChannels(deps.db, call.project.id, { userId, channelId });
      return { items: channels.map(channelView), is_paginated: false } as const;
    }),

    bind(contactChannelEndpoints.create, async call => {
      const { body, project } = call;
      const userId = resolveUserId(body.user_id, call.user) ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      assertOwn(call.level, call.user, userId);
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
      await transaction(deps.db, async tx => {
        if (!(await lockUser(tx, project.id, userId))) fail('USER_NOT_FOUND');
        await holdCallerSession(tx, call, deps);
        await recordAndNotify(tx, call, { before: null, after: channel });
        assertMayAddChannel(await countChannels(tx, project.id, userId));
        if (channel.isPrimary) await clearPrimary(tx, project.id, userId);
        await claimAddress(tx, project.id, channel);
        await insertChannel(tx, project.id, { ...channel, createdAtMillis: deps.clock.now() });
        await refreshSearch(tx, project.id, userId);
      }).catch(error => refuseConflict(error, channel.value));
      return channelView(channel);
    }),

    bind(contactChannelEndpoints.read, async call => {
      const userId = requireOwnUserId(call);
      const channel = await selectChannel(deps.db, call.project.id, userId, call.params.contact_channel_id);
      return channelView(channel ?? refuse(404, 'There is no such contact channel.'));
    }),

    bind(contactChannelEndpoints.update, async call => {
      const userId = requireOwnUserId(call);
      const patch = channelPatch(call.body);
      const projectId = call.project.id;
      await assertRecentSignIn(call, deps);
      if (patch.value !== undefined) await deps.rateLimits.spend(channelAdditionUses(call, userId));
      return transaction(deps.db, async tx => {
        await lockUser(tx, projectId, userId);
        await holdCallerSession(tx, call, deps);
        const channel = await selectChannel(tx, projectId, userId, call.params.contact_channel_id);
        if (channel === undefined) refuse(400, 'There is no such contact channel.');
        const changed = applyChannelPatch(channel, patch);
        await recordAndNotify(tx, call, { before: channel, after: changed });
        await claimAddress(tx, projectId, changed);
        await writeChannel(tx, projectId, channel, changed);
        return channelView(changed);
      }).catch(error => refuseConflict(error, null));
    }),

    bind(contactChannelEndpoints.delete, async call => {
      const userId = requireOwnUserId(call);
      await assertRecentSignIn(call, deps);
      await transaction(deps.db, async tx => {
        await lockUser(tx, call.project.id, userId);
        await holdCallerSession(tx, call, deps);
        const channel = await selectChannel(tx, call.project.id, userId, call.params.contact_channel_id);
        if (channel === undefined) refuse(400, 'There is no such contact channel.');
        await recordAndNotify(tx, call, { before: channel, after: null });
        await deleteChannel(tx, call.project.id, userId, channel.id);
        await refreshSearch(tx, call.project.id, userId);
      });
      return success;
    }),

    bind(contactChannelEndpoints.sendVerification, async call => {
      const userId = resolveUserId(call.params.user_id, call.user) ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (call.level === 'client' && call.user === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (call.level === 'client' && call.user?.id !== userId) refuse(400, 'This is not your contact channel.');
      const { project } = call;
      const user = call.user?.id === userId ? call.user : await selectUser(deps.db, project.id, userId);
      if (user === null) fail('USER_ID_DOES_NOT_EXIST', { user_id: userId });
      const channel = await selectChannel(deps.db, project.id, userId, call.params.contact_channel_id);
      if (channel === undefined) refuse(404, 'There is no such contact channel.');
      if (channel.isVerified) fail('EMAIL_ALREADY_VERIFIED');
      assertTrusted(call.body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, channel.value));
      await enqueueVerification(call, user, { address: channel.value, callbackUrl: call.body.callback_url });
      return success;
    }),

    bind(contactChannelEndpoints.sendPrimaryVerification, async call => {
      const { user, project, body } = call;
      if (normalizedEmail(body.email) !== user.primaryEmail) {
        fail('EMAIL_IS_NOT_PRIMARY_EMAIL', { email: body.email, primary_email: user.primaryEmail });
      }
      if (user.primaryEmailVerified) fail('EMAIL_ALREADY_VERIFIED');
      assertTrusted(body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, user.primaryEmail));
      await enqueueVerification(call, user, { address: user.primaryEmail, callbackUrl: body.callback_url });
      return success;
    }),

    bind(contactChannelEndpoints.verify, async call => {
      const { project, body } = call;
      const presented = { projectId: project.id, kind: 'email_verification', code: body.code, by: call } as const;
      const { userId, address } = await redeemCode(presented, deps);
      const isThere =
        userId !== null &&
        address !== null &&
        (await transaction(deps.db, tx => markVerified(tx, project.id, userId, address)));
      if (!isThere) refuse(400, 'The address that this code was sent to has been removed or changed.');
      const event = { action: 'factor.address_verified', userId, atMillis: deps.clock.now() } as const;
      deps.audit.record({ ...auditedBy(call), ...event });
      return success;
    }),

    bind(contactChannelEndpoints.checkVerification, async call => {
      const { project, body } = call;
      await checkCode({ projectId: project.id, kind: 'email_verification', code: body.code, by: call }, deps);
      return { is_code_valid: true } as const;
    }),
  ];

  /** A caller who has proven an address takes it from an account with another verified sign-in address. */
  async function claimAddress(tx: Transaction, projectId: string, channel: ContactChannel): Promise<void> {
    if (!channel.isVerified || !channel.usedForAuth) return;
    const { userId, value: address } = channel;
    await releaseAddress(tx, { projectId, address, userId, nowMillis: deps.clock.now() });
  }

  /** Records and sends notices. Call it before the change: notices go to the previous primary address, too. */
  async function recordAndNotify(
    tx: Transaction,
    call: AuditedCall,
    { before, after }: { before: ContactChannel | null; after: ContactChannel | null },
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
      await sendAccountNotice(tx, { projectId, ...notice }, deps);
    }
  }

  async function enqueueVerification(
    { project: { id: projectId }, source }: Pick<AuditedCall, 'project'> & Pick<Call, 'source'>,
    user: CallUser,
    target: { address: string; callbackUrl: string },
  ): Promise<void> {
    const verification = {
      projectId,
      userId: user.id,
      userDisplayName: user.displayName,
      countsInQuota: !source.isOwnMachine,
      ...target,
    };
    await transaction(deps.db, async tx => {
      if (!(await holdUser(tx, projectId, user.id))) refuse(404, 'There is no such contact channel.');
      await sendVerification(tx, verification, deps);
    });
  }
}

/** Resolves `user_id`; the pipeline has refused `me` without a user. */
function resolveUserId(userId: string | undefined, user: CallUser | null): string | undefined {
  return userId === 'me' ? user?.id : userId?.toLowerCase();
}

function assertOwn(level: AccessLevel, user: CallUser | null, userId: string | undefined): void {
  const whose = ownership(level, user?.id, userId);
  if (whose === 'noUser') fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (whose === 'foreign') refuse(403, 'Clients can only see and change their own contact channels.');
}

function requireOwnUserId(call: { level: AccessLevel; user: CallUser | null; params: { user_id: string } }): string {
  const userId = resolveUserId(call.params.user_id, call.user) ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  assertOwn(call.level, call.user, userId);
  return userId;
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
  if (!(error instanceof UsedBySomeoneElse)) throw error;
  fail('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', { type: 'email', contact_channel_value: address });
}
