/** Path below the public URL of the server. */
export const mockProviderPath = '/dev/oauth';

/** The OpenID provider in this server that replaces every shared provider in development. */
export interface MockProvider {
  readonly issuer: string;
  /** Answers requests below the issuer. The server itself calls this function instead of the network. */
  readonly fetch: typeof fetch;
}

/** The provider library is loaded at the first request. */
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
