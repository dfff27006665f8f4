import type { AuditAction } from '@tessera/protocol';
import type { UserChange } from '../users/user-update.ts';

/** The sign-in methods of a user before a change. */
interface Before {
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly requiresTotpMfa: boolean;
  readonly otpAuthEnabled: boolean;
}

/** The audit actions of an update that changes sign-in methods (control 97). */
export function factorActions(changes: readonly UserChange[], before: Before): AuditAction[] {
  return changes.flatMap((change): AuditAction[] => {
    switch (change.kind) {
      case 'passwordHash':
        if (change.value === null) return before.hasPassword ? ['factor.password_removed'] : [];
        return [before.hasPassword ? 'factor.password_changed' : 'factor.password_set'];
      case 'totpSecret':
        if (change.value !== null) return ['factor.totp_enabled'];
        return before.requiresTotpMfa ? ['factor.totp_disabled'] : [];
      case 'otpAuthEnabled':
        if (change.value === before.otpAuthEnabled) return [];
        return [change.value ? 'factor.otp_enabled' : 'factor.otp_disabled'];
      case 'deletePasskeys':
        return before.hasPasskey ? ['factor.passkey_removed'] : [];
      case 'createPrimaryEmail':
        return ['factor.address_added'];
      case 'updatePrimaryEmail':
      case 'switchPrimaryEmail':
        return ['factor.address_changed'];
      case 'deletePrimaryEmail':
        return ['factor.address_removed'];
      default:
        return [];
    }
  });
}
