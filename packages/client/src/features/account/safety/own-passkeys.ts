import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import { lazily } from '../../../util/once.ts';
import type { DeviceSession } from './active-sessions.ts';

/** A passkey of the user. A snapshot. */
export interface OwnPasskey {
  /** Credential id of the passkey. */
  readonly id: string;
  /** The name that the user gave to it; null for none. */
  readonly name: string | null;
  /** The password manager or security key that keeps it, e.g. `Google Password Manager`; null when it is not known. */
  readonly providerName: string | null;
  /** The device of the registration; null when it is not known. */
  readonly device: DeviceSession['device'] | null;
  /** Whether other devices of the user can have it too. */
  readonly isSynced: boolean;
  /** Time of the registration. */
  readonly createdAt: Date;
  /** Time of the last sign-in with it; null for none. */
  readonly lastUsedAt: Date | null;
}

/** The passkeys of the signed-in user, one by one. Not cached. */
export interface OwnPasskeyMethods {
  /**
   * The user's passkeys, oldest first. In a browser with the Signal API, password managers then hide passkeys that are
   * not in the list.
   *
   * @example
   * const passkeys = await user.getPasskeys();
   */
  getPasskeys(): Promise<OwnPasskey[]>;
  /** Renames a passkey. Null removes the name. @throws when the user has no such passkey. */
  renamePasskey(id: string, name: string | null): Promise<void>;
  /**
   * Removes a passkey, and tells the browser.
   *
   * @throws `LAST_SIGN_IN_METHOD`, `REAUTHENTICATION_REQUIRED`.
   */
  removePasskey(id: string): Promise<void>;
}

const names: Record<keyof OwnPasskeyMethods, true> = { getPasskeys: true, renamePasskey: true, removePasskey: true };

export function ownPasskeys(ctx: Context<'client'>, session: Session): OwnPasskeyMethods {
  return lazily(names, async () => (await import('./own-passkeys-flow.ts')).ownPasskeysFlow(ctx, session));
}
