import {
  type AccessLevel,
  noticesPerRecipient,
  noticesPerUnverifiedRecipient,
  noticeWindowMs,
} from '@tessera/protocol';
import type { RequestSource } from '../../../core/request-source.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { countInTransaction } from '../../../platform/rate-limits/index.ts';
import {
  type AccountNoticeTemplate,
  type AccountNoticeVariables,
  keepMails,
  type Mail,
  type NoticeOrigin,
} from '../../email/queue/index.ts';
import { noticeNames, withoutLinks } from '../../email/templates/index.ts';
import { selectVerifiedAddresses } from '../contact-channels/store.ts';
import type { UserId } from './row/index.ts';
import type { UserChange } from './user-update.ts';

/** A notice about a changed sign-in method. */
interface AccountNotice<N extends AccountNoticeTemplate = AccountNoticeTemplate> {
  readonly notice: N;
  /** The recipients. Null, when the user has no primary address: all verified addresses of the user. */
  readonly to: readonly (string | null)[];
  readonly about: AccountNoticeVariables[N];
}

/** The request that caused a notice; its device and place are in the email. */
export interface NoticeCause {
  readonly level: AccessLevel;
  readonly source: Pick<RequestSource, 'userAgent' | 'countryCode' | 'isOwnMachine'>;
}

/** A notice of any kind. */
export type AnyAccountNotice = { [N in AccountNoticeTemplate]: AccountNotice<N> }[AccountNoticeTemplate];

type SentNotice = AnyAccountNotice &
  UserId & {
    readonly by?: NoticeCause;
    /** An address that the account had verified and may no longer have after the change. */
    readonly formerAddress?: string | null;
  };

/**
 * Enqueues a notice, once for each address, in the transaction of the change (controls 10 and 68). The number per
 * recipient and window is limited, so that repeated changes cannot fill a mailbox (control 72). Above the limit the change
 * is still written.
 */
export async function sendAccountNotice(
  tx: Transaction,
  { projectId, userId, notice, to, about, by, formerAddress }: SentNotice,
  { mail, clock }: { mail: Mail; clock: Clock },
): Promise<void> {
  // An attacker can choose the address that the owner of the account reads here, so it must not become a link.
  const safeAbout = Object.fromEntries(Object.entries(about).map(([name, value]) => [name, withoutLinks(value)]));
  const variables = { ...(safeAbout as typeof about), ...originOf(by) };
  const ownAddresses = await selectVerifiedAddresses(tx, projectId, userId);
  const verified = new Set([...ownAddresses, formerAddress]);
  const recipients = new Set(to.flatMap(address => address ?? ownAddresses));
  for (const recipient of recipients) {
    const isVerified = verified.has(recipient);
    if (!(await countNotice(tx, recipient, { projectId, userId, isVerified }, clock.now()))) continue;
    const countsInQuota = !isVerified && by?.source.isOwnMachine === false;
    await mail.send(tx, { projectId, userId, template: notice, recipient, variables, countsInQuota });
  }
}

/**
 * Notices in the queue outlive their user, also the one about the deletion. Otherwise a person who takes an account over and
 * deletes it could stop the notices about the takeover.
 */
export function keepNotices(tx: Transaction, { projectId, userId }: UserId): Promise<void> {
  return keepMails(tx, { projectId, userId, templates: noticeNames });
}

/** Counts a notice to a recipient (control 72). @returns false above the limit: it must not be sent */
export async function countNotice(
  tx: Transaction,
  recipient: string,
  owner: UserId & { readonly isVerified: boolean },
  nowMillis: number,
): Promise<boolean> {
  const { max, ...counter } = limitOf(recipient, owner);
  return (await countInTransaction(tx, counter, nowMillis)) <= max;
}

/**
 * A verified address has a counter for the account: changes of another account, which may name the same address, must not
 * silence the notices of this one. Any account can name an unverified address, so all accounts share its counter.
 */
function limitOf(recipient: string, { projectId, userId, isVerified }: UserId & { readonly isVerified: boolean }) {
  const windowMs = noticeWindowMs;
  return isVerified
    ? { key: `noticesPerRecipient:${projectId}:${userId}:${recipient}`, windowMs, max: noticesPerRecipient }
    : { key: `noticesPerUnverified:${projectId}:${recipient}`, windowMs, max: noticesPerUnverifiedRecipient };
}

/** Only a client is the device of a person; a request of a server comes from a machine of the app. */
function originOf(by: NoticeCause | undefined): NoticeOrigin {
  if (by?.level !== 'client') return {};
  const { userAgent, countryCode } = by.source;
  return { ...(userAgent !== null && { userAgent }), ...(countryCode !== null && { countryCode }) };
}

/** The sign-in methods of a user before a change. */
export interface Before {
  readonly primaryEmail: string | null;
  readonly primaryEmailAuthEnabled: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly requiresTotpMfa: boolean;
  readonly otpAuthEnabled: boolean;
}

/**
 * The notices about an update, for the previous and the new primary address.
 *
 * @param primaryEmail after the update
 */
export function accountNoticesOf(
  changes: readonly UserChange[],
  before: Before,
  primaryEmail: string | null,
): AnyAccountNotice[] {
  const to = [before.primaryEmail, primaryEmail];
  return changes.flatMap((change): AnyAccountNotice[] => {
    switch (change.kind) {
      case 'passwordHash':
        if (change.value !== null) return [newPasswordNotice(before.hasPassword, to)];
        return before.hasPassword ? [{ notice: 'password_removed', to, about: {} }] : [];
      case 'totpSecret':
        if (change.value !== null) return [{ notice: 'totp_switched_on', to, about: {} }];
        return before.requiresTotpMfa ? [{ notice: 'totp_switched_off', to, about: {} }] : [];
      case 'otpAuthEnabled':
        // A code that is requested switches it on, so this is not told.
        return before.otpAuthEnabled && !change.value ? [{ notice: 'email_code_switched_off', to, about: {} }] : [];
      case 'deletePasskeys':
        return before.hasPasskey ? [{ notice: 'passkeys_removed', to, about: {} }] : [];
      case 'createPrimaryEmail':
      case 'updatePrimaryEmail':
        return addressNotices(before, change);
      case 'switchPrimaryEmail':
        return addressNotices(before, { value: change.value, usedForAuth: before.primaryEmailAuthEnabled });
      case 'deletePrimaryEmail':
        return before.primaryEmailAuthEnabled && before.primaryEmail !== null
          ? [{ notice: 'sign_in_address_removed', to, about: { changedAddress: before.primaryEmail } }]
          : [];
      default:
        return [];
    }
  });
}

/** The notice about a new password. */
export function newPasswordNotice(hadPassword: boolean, to: AnyAccountNotice['to']): AnyAccountNotice {
  return { notice: hadPassword ? 'password_changed' : 'password_added', to, about: {} };
}

/** A first address is an addition; an address in place of another is a change. */
function addressNotices(before: Before, after: { value: string; usedForAuth: boolean }): AnyAccountNotice[] {
  const { primaryEmail, primaryEmailAuthEnabled } = before;
  const to = [primaryEmail, after.value];
  const about = { changedAddress: after.value };
  if (primaryEmail !== null && primaryEmail !== after.value) return [{ notice: 'primary_email_changed', to, about }];
  if (after.usedForAuth === (primaryEmail !== null && primaryEmailAuthEnabled)) return [];
  return [{ notice: after.usedForAuth ? 'sign_in_address_added' : 'sign_in_address_removed', to, about }];
}
