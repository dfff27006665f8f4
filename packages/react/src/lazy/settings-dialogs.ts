/** The parts of the account settings that one action opens. They are one file for the reason that `visit-pages.ts` gives. */
export { NewRecoveryCodes } from '../components/account-settings/auth/second-factor/new-recovery-codes.tsx';
export { QrCode } from '../components/account-settings/auth/second-factor/qr-code.tsx';
export { CropDialog } from '../components/account-settings/profile/crop-dialog.tsx';
export { ReauthenticationDialog } from '../components/reauthentication/reauthentication-dialog.tsx';
