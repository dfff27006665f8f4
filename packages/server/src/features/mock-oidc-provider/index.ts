/** Below the public address of the server. */
export const mockProviderPath = '/dev/oauth';

/**
 * What every client says to a stand-in that it is the client; the id is that of the provider
 * (docs/contract/oauth.md#provider-configuration).
 */
export const mockProviderSecret = 'MOCK-SERVER-SECRET';

/** The OpenID provider in this server that plays every shared provider in development. */
export interface MockProvider {
  readonly issuer: string;
  /** Answers what lies below the issuer: browsers, and the server itself, which need not go through the network. */
  readonly fetch: typeof fetch;
}

/** Nothing is loaded before the first request. */
export function createMockProvider(publicUrl: string): MockProvider {
  const issuer = publicUrl + mockProviderPath;
  let opening: Promise<(request: Request) => Promise<Response>> | undefined;
  return {
    issuer,
    fetch: async (input, init) => {
      opening ??= import('./provider.ts').then(({ openProvider }) => openProvider({ issuer, publicUrl }));
      const answer = await opening;
      return answer(new Request(input, init));
    },
  };
}
