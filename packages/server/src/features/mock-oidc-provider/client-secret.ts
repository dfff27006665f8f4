/**
 * The client secret of every client at the mock provider; the client id is the provider id
 * (docs/contract/oauth.md#provider-configuration).
 */
export const mockProviderSecret = 'MOCK-SERVER-SECRET';
