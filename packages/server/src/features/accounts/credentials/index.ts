export { assertOtherMethod } from './last-method.ts';
export {
  type ConnectedAccount,
  deleteOAuthAccounts,
  deleteOAuthAccountsAt,
  insertOAuthAccount,
  ProviderAccountTaken,
  selectConnectedAccounts,
} from './oauth-accounts-store.ts';
export {
  AlreadyRegistered,
  deletePasskey,
  deletePasskeys,
  insertPasskey,
  type NewPasskey,
  type OwnPasskey,
  type Passkey,
  recordPasskeyUse,
  renamePasskey,
  selectOwnPasskeys,
  selectPasskey,
  selectPasskeysOf,
} from './passkeys-store.ts';
