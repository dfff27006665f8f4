import { noticesPerRecipient, noticeWindowMs } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import { onlyRow, type Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Mail, Notice, NoticeVariables } from '../../email/queue/index.ts';
import { withoutLinks } from '../../email/templates/index.ts';
import type { UserChange } from './rules.ts';

/** That somebody's way in has changed, and whom it concerns. */
interface AccountNotice<N extends Notice = Notice> {
  readonly notice: N;
  /** Every address that has a claim to know; null for one that there is not. */
  readonly to: readonly (string | null)[];
  readonly about: NoticeVariables[N];
}

/** What there is to tell, of one kind or another. */
export type AnyAccountNotice = { [N in Notice]: AccountNotice<N> }[Notice];

/**
 * Posts a notice, once to each address, in the transaction of the change (controls 10 and 68). Whoever changes something
 * to and fro cannot fill a mailbox with it: from some number on there are no more for a while, and the change is made.
 */
export async function sendAccountNotice(
  tx: Transaction,
  { projectId, notice, to, about }: AnyAccountNotice & { readonly projectId: string },
  { mail, clock }: { mail: Mail; clock: Clock },
): Promise<void> {
  const recipients = [...new Set(to)].filter(address => address !== null);
  // An address is chosen by whoever adds it, and read by whoever had the account before.
  const variables = Object.fromEntries(Object.entries(about).map(([name, value]) => [name, withoutLinks(value)]));
  for (const recipient of recipients) {
    if ((await countNotice(tx, { projectId, recipient, nowMillis: clock.now() })) > noticesPerRecipient) continue;
    await mail.send(tx, { projectId, template: notice, recipient, variables: variables as typeof about });
  }
}

/**
 * Counts in the table of all limits, but in the transaction of the change, which must not wait for another connection.
 *
 * @returns how many notices there were in this window, this one included
 */
async function countNotice(
  tx: Transaction,
  { projectId, recipient, nowMillis }: { projectId: string; recipient: string; nowMillis: number },
): Promise<number> {
  const key = `noticesPerRecipient:${projectId}:${recipient}`;
  const { points } = onlyRow(
    await tx.query<{ points: number }>(sql`
      insert into rate_limits (key, points, expire) values (${key}, 1, ${nowMillis + noticeWindowMs})
      on conflict (key) do update set
        points = case when rate_limits.expire <= ${nowMillis}::bigint then 1 else rate_limits.points + 1 end,
        expire = case when rate_limits.expire <= ${nowMillis}::bigint then excluded.expire else rate_limits.expire end
      returning points
    `),
  );
  return points;
}

/** What a person had before a change. */
export interface Before {
  readonly primaryEmail: string | null;
  readonly primaryEmailAuthEnabled: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly requiresTotpMfa: boolean;
}

/**
 * What an update has to be told of, to the address from before and the one from now on.
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
        return passwordNotices(change.value !== null, before.hasPassword, to);
      case 'totpSecret':
        if (change.value !== null) return [{ notice: 'totp_switched_on', to, about: {} }];
        return before.requiresTotpMfa ? [{ notice: 'totp_switched_off', to, about: {} }] : [];
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

export function passwordNotices(
  hasPassword: boolean,
  hadPassword: boolean,
  to: AnyAccountNotice['to'],
): AnyAccountNotice[] {
  if (!hasPassword) return hadPassword ? [{ notice: 'password_removed', to, about: {} }] : [];
  return [{ notice: hadPassword ? 'password_changed' : 'password_added', to, about: {} }];
}

/** A first address is nobody's loss; one in place of another is. */
function addressNotices(before: Before, after: { value: string; usedForAuth: boolean }): AnyAccountNotice[] {
  const { primaryEmail, primaryEmailAuthEnabled } = before;
  const to = [primaryEmail, after.value];
  const about = { changedAddress: after.value };
  if (primaryEmail !== null && primaryEmail !== after.value) return [{ notice: 'primary_email_changed', to, about }];
  if (after.usedForAuth === (primaryEmail !== null && primaryEmailAuthEnabled)) return [];
  return [{ notice: after.usedForAuth ? 'sign_in_address_added' : 'sign_in_address_removed', to, about }];
}
