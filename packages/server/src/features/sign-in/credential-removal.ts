import type { AuditedCall } from '../../core/audit-event.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { confirmPrimaryChannel, deleteOtherChannels } from '../accounts/contact-channels/index.ts';
import { deleteOAuthAccounts, deletePasskeys } from '../accounts/credentials/index.ts';
import { refreshSearch, resetFirstFactors, resetSecondFactor, type UserId } from '../accounts/users/index.ts';
import { deleteCodesExcept } from '../verification-codes/index.ts';
import { deleteDevices } from './devices-store.ts';
import { deleteSignInSources } from './sources-store.ts';

/** What a later feature deletes when the credentials of a user are removed, in the same transaction. */
export type OnCredentialsRemoved = (tx: Transaction, user: UserId) => Promise<void>;

/** What a later feature does when a user has proved the only address of an account, in the same transaction. */
export type OnAddressProved = (tx: Transaction, user: UserId, call: AuditedCall) => Promise<void>;

/** Removes credentials of a user whose row the caller has locked. The caller ends the sessions. */
export interface CredentialRemoval {
  /** Removes every credential of an anonymous user before an upgrade. @param keptAddress null keeps no address */
  removeAll(tx: Transaction, user: UserId, keptAddress: string | null): Promise<void>;
  /**
   * Makes one address the only proof of an account (control 56): it becomes primary and verified, and every other
   * credential except the password is deleted. What earlier holders of the account have planned ends, too. An account with
   * a verified sign-in address loses nothing, in particular not its second factor (control 12).
   */
  keepOnlyAddress(tx: Transaction, user: UserId, proof: { address: string; call: AuditedCall }): Promise<void>;
}

/** The steps of later features, in their order. */
interface RemovalSteps {
  readonly onCredentialsRemoved: readonly OnCredentialsRemoved[];
  readonly onAddressProved: readonly OnAddressProved[];
}

export function createCredentialRemoval({ onCredentialsRemoved, onAddressProved }: RemovalSteps): CredentialRemoval {
  /**
   * Deletes all that could sign in to an account, except the password, the sessions and the channel of one address:
   * other channels, passkeys, provider links, the second factor, open codes, known address blocks and devices, and the credentials
   * of later features.
   */
  async function removeExcept(tx: Transaction, user: UserId, address: string | null): Promise<void> {
    await deletePasskeys(tx, user);
    for (const remove of onCredentialsRemoved) await remove(tx, user);
    await deleteOAuthAccounts(tx, user);
    await deleteCodesExcept(tx, user, address);
    await deleteOtherChannels(tx, user, address);
    await resetSecondFactor(tx, user);
    await deleteSignInSources(tx, user);
    await deleteDevices(tx, user);
  }

  return {
    async removeAll(tx, user, keptAddress) {
      await removeExcept(tx, user, keptAddress);
      await resetFirstFactors(tx, user);
      await refreshSearch(tx, user.projectId, user.userId);
    },
    async keepOnlyAddress(tx, user, { address, call }) {
      await removeExcept(tx, user, address);
      await confirmPrimaryChannel(tx, user, address);
      await refreshSearch(tx, user.projectId, user.userId);
      for (const join of onAddressProved) await join(tx, user, call);
    },
  };
}
