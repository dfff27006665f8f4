export { type ConfiguredProvider, clientOf, configuredProvider } from './clients.ts';
export type { ProviderClient, ProviderTokens } from './provider-client.ts';
export { openProviderToken, storeProviderTokens } from './provider-tokens.ts';
export { ProviderFailure, refuseFailure, scopesOf } from './rules.ts';
export { holdProviderAccount, type ProviderTokenRow, selectProviderToken } from './tokens-store.ts';
