import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiPath, oauthProviderIds, providerAccountIdMaxLength } from '@tessera/protocol';
import { exportJWK, generateKeyPair } from 'jose';
import { type ClientMetadata, type Configuration, errors, Provider } from 'oidc-provider';
import { createAdapters } from './adapter.ts';
import { createBridge } from './bridge.ts';
import { mockProviderSecret } from './client-secret.ts';
import { endedPage, pageHeaders, pagePolicy, signInPage } from './page.ts';

const signatureAlgorithm = 'RS256';
const maxRecent = 8;
const formMaxBytes = 16 * 1024;
/** Opens the OpenID provider with our sign-in page. */
export async function openProvider(options: {
  readonly issuer: string;
  readonly publicUrl: string;
}): Promise<(request: Request) => Promise<Response>> {
  const { issuer, publicUrl } = options;
  const { pathname: basePath } = new URL(issuer);
  const provider = new Provider(issuer, await configurationOf(options));
  provider.proxy = true;
  const answer = provider.callback();
  const headers = pageHeaders(publicUrl);
  const recent: string[] = [];

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const page = { providerId: String(params.client_id), recent };
    if (request.method !== 'POST') return show(response, 200, signInPage(page));
    const form = await formOf(request);
    if (form.has('deny')) {
      const error = { error: 'access_denied', error_description: 'The sign-in was denied at the mock provider.' };
      return provider.interactionFinished(request, response, error);
    }
    const login = (form.get('login') ?? '').trim();
    if (login === '' || login.length > providerAccountIdMaxLength) {
      return show(response, 400, signInPage({ ...page, problem: 'Enter an email address.' }));
    }
    remember(login);
    return provider.interactionFinished(request, response, { login: { accountId: login, remember: false } });
  }

  function remember(login: string): void {
    const others = recent.filter(one => one !== login);
    recent.splice(0, recent.length, login, ...others.slice(0, maxRecent - 1));
  }

  function show(response: ServerResponse, status: number, page: string): void {
    response.writeHead(status, headers).end(page);
  }

  return createBridge({
    base: issuer,
    listener: (request, response) => {
      if (!request.url?.startsWith('/interaction/')) {
        request.headers.cookie = withoutSession(request.headers.cookie);
        // The provider derives its mount path from originalUrl.
        Object.assign(request, { originalUrl: basePath + request.url });
        void answer(request, response);
        return;
      }
      interact(request, response).catch((error: unknown) => {
        const isOver = error instanceof errors.SessionNotFound;
        show(
          response,
          isOver ? 400 : 500,
          endedPage(isOver ? endedSentence : 'The mock provider has failed. Please try again.'),
        );
      });
    },
  });
}

const endedSentence = 'This sign-in has ended or was started in another browser. Go back to the app and try again.';

async function configurationOf({ issuer, publicUrl }: { issuer: string; publicUrl: string }): Promise<Configuration> {
  const { privateKey } = await generateKeyPair(signatureAlgorithm, { extractable: true });
  return {
    adapter: createAdapters(),
    clients: oauthProviderIds.map(
      (id): ClientMetadata => ({
        client_id: id,
        client_secret: mockProviderSecret,
        redirect_uris: [`${publicUrl}${apiPath}/auth/oauth/callback/${id}`],
      }),
    ),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: signatureAlgorithm, use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    interactions: {
      url: (_context, interaction) => `${new URL(issuer).pathname}/interaction/${interaction.uid}`,
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    // No consent step: the app gets only the subject.
    loadExistingGrant: async ({ oidc }) => {
      const { accountId } = oidc.session ?? {};
      const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client?.clientId });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
    renderError: (context, { error_description: description, error }) => {
      context.type = 'html';
      context.set('content-security-policy', pagePolicy);
      context.body = endedPage(description ?? error);
    },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 3600,
      Session: 3600,
    },
  };
}

/** Removes the session cookie, because a session would skip the sign-in page. */
function withoutSession(cookies = ''): string {
  return cookies
    .split('; ')
    .filter(cookie => !cookie.startsWith('_session'))
    .join('; ');
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > formMaxBytes) throw new Error('the form is too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
