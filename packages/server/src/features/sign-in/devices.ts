import type { RequestSource } from '../../core/request-source.ts';
import type { Clock } from '../../platform/clock.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { networkArea } from '../../platform/network/area.ts';
import { deviceFamily } from '../../platform/network/device.ts';
import { lockUser, selectUser, sendAccountNotice } from '../accounts/users/index.ts';
import type { Mail } from '../email/queue/index.ts';
import { recordDevice } from './devices-store.ts';

interface SignIn {
  readonly projectId: string;
  readonly userId: string;
  readonly source: RequestSource;
}

/**
 * Sends a notice about a sign-in from a device that the user has not used before. The first device of a user is recorded
 * without a notice. Only a verified address gets one, within the limit of account notices per recipient.
 */
export async function sendNewDeviceNotice(
  tx: Transaction,
  { projectId, userId, source }: SignIn,
  deps: { mail: Mail; clock: Clock },
): Promise<void> {
  const device = deviceHash({ projectId, userId, source });
  if (!(await lockUser(tx, { projectId, userId }, 'hold'))) return;
  const { isNew, hasOthers } = await recordDevice(tx, { projectId, userId, device, nowMillis: deps.clock.now() });
  if (!isNew || !hasOthers) return;
  const user = await selectUser(tx, projectId, userId);
  if (user?.primaryEmail == null || !user.primaryEmailVerified) return;
  const notice = { notice: 'new_device_sign_in', to: [user.primaryEmail], about: {} } as const;
  await sendAccountNotice(tx, { projectId, userId, ...notice, by: { level: 'client', source } }, deps);
}

/**
 * Browser, system and country, or the network where the country is not known. Nothing is stored on the device. The hash
 * contains the user, so that devices of two users cannot be compared. All programs without a browser are one family: an
 * attacker must not avoid the notice by leaving the user agent out.
 */
function deviceHash({ projectId, userId, source }: SignIn): Buffer {
  const family = deviceFamily(source.userAgent) ?? 'program';
  const area = source.countryCode ?? (source.address === undefined ? undefined : networkArea(source.address));
  return sha256([projectId, userId, family, area ?? ''].join('\n'));
}
