export { decryptProviderToken, storeProviderTokens } from './connected-accounts/provider-tokens.ts';
export { holdProviderAccount, type ProviderTokenRow, selectProviderToken } from './connected-accounts/tokens-store.ts';
export { type ConfiguredProvider, clientOf, configuredProvider } from './providers/clients.ts';
export type { ProviderClient, ProviderTokens } from './providers/provider-client.ts';
export { ProviderFailure, refuseFailure, scopesOf } from './rules.ts';
export { endPendingFlows } from './store.ts';
export { createLinkCompletion } from './token/apply-sign-in.ts';
