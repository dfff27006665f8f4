export {
  deleteOAuthAccounts,
  insertOAuthAccount,
  ProviderAccountTaken,
} from './oauth-accounts-store.ts';
export {
  AlreadyRegistered,
  deletePasskeys,
  insertPasskey,
  type NewPasskey,
  type Passkey,
  recordPasskeyUse,
  selectPasskey,
  selectPasskeysOf,
} from './passkeys-store.ts';
