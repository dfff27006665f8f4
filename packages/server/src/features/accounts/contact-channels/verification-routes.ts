import { contactChannelEndpoints, emailVerificationEndpoints, fail } from '@tessera/protocol';
import type { AuditedCall } from '../../../core/audit-event.ts';
import type { Call } from '../../../core/call.ts';
import type { CallUser } from '../../../core/user.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { mailUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { type AuditWriter, auditedBy } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { assertTrustedUrl } from '../../projects/index.ts';
import { checkCode, redeemCode } from '../../verification-codes/index.ts';
import { lockUser, normalizedEmail, selectUser } from '../users/index.ts';
import { markVerified, selectChannel } from './store.ts';
import { sendVerification } from './verification.ts';

export interface ChannelVerificationDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
}

const success = { success: true } as const;

/** Verification of addresses by an email with a code. */
export function channelVerificationRoutes(deps: ChannelVerificationDeps): BoundRoute[] {
  return [
    bind(contactChannelEndpoints.sendVerification, async call => {
      const userId = call.targetUserId;
      if (call.level === 'client' && call.user === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
      if (call.level === 'client' && call.user?.id !== userId) refuse(400, 'This is not your contact channel.');
      const { project } = call;
      const user = call.user?.id === userId ? call.user : await selectUser(deps.db, project.id, userId);
      if (user === null) fail('USER_ID_DOES_NOT_EXIST', { user_id: userId });
      const channel = await selectChannel(deps.db, project.id, userId, call.params.contact_channel_id);
      if (channel === undefined) refuse(404, 'There is no such contact channel.');
      if (channel.isVerified) fail('EMAIL_ALREADY_VERIFIED');
      assertTrustedUrl(call.body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, channel.value, 'verification'));
      await enqueueVerification(call, user, { address: channel.value, callbackUrl: call.body.callback_url }, deps);
      return success;
    }),

    bind(contactChannelEndpoints.sendPrimaryVerification, async call => {
      const { user, project, body } = call;
      if (normalizedEmail(body.email) !== user.primaryEmail) {
        fail('EMAIL_IS_NOT_PRIMARY_EMAIL', { email: body.email, primary_email: user.primaryEmail });
      }
      if (user.primaryEmailVerified) fail('EMAIL_ALREADY_VERIFIED');
      assertTrustedUrl(body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, user.primaryEmail, 'verification'));
      await enqueueVerification(call, user, { address: user.primaryEmail, callbackUrl: body.callback_url }, deps);
      return success;
    }),

    bind(emailVerificationEndpoints.sendCode, async call => {
      const { user, project, body } = call;
      if (user.primaryEmail === null) refuse(400, 'The account has no email address.');
      if (user.primaryEmailVerified) fail('EMAIL_ALREADY_VERIFIED');
      assertTrustedUrl(body.callback_url, project.config);
      await deps.rateLimits.spend(mailUses(call, user.primaryEmail, 'verification'));
      const target = { address: user.primaryEmail, callbackUrl: body.callback_url, hasTypedCode: true };
      return { nonce: await enqueueVerification(call, user, target, deps) };
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
}

async function enqueueVerification(
  { project: { id: projectId }, source }: Pick<AuditedCall, 'project'> & Pick<Call, 'source'>,
  user: CallUser,
  target: { address: string; callbackUrl: string; hasTypedCode?: boolean },
  deps: { readonly clock: Clock; readonly db: Database; readonly mail: Mail },
): Promise<string> {
  const verification = {
    projectId,
    userId: user.id,
    userDisplayName: user.displayName,
    countsInQuota: !source.isOwnMachine,
    ...target,
  };
  return transaction(deps.db, async tx => {
    if (!(await lockUser(tx, { projectId, userId: user.id }, 'hold'))) refuse(404, 'There is no such contact channel.');
    return sendVerification(tx, verification, deps);
  });
}
