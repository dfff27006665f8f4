import { providerTokenLifetimeMs } from '@tessera/protocol';
import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { callProvider } from './failure.ts';
import { acceptsToken, fetchProfile } from './fetch-profile.ts';
import type { RawProfile } from './profiles.ts';
import { parseJson, readJson } from './read-json.ts';
import { microsoftTenant, type ProviderRow, type ProviderSettings } from './rows.ts';

export interface ProviderClientOptions {
  readonly row: ProviderRow;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly settings: ProviderSettings;
  /** The address of our callback. */
  readonly redirectUri: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** The mock provider of development may use http. */
  readonly allowsHttp: boolean;
}

/** The secrets of one flow. The provider sees the verifier only as a challenge before the callback. */
export interface FlowSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly expiresAtMillis: number;
}

/** The server as an OAuth client of one provider. Every method throws ProviderFailure when the provider refuses. */
export interface ProviderClient {
  /** The scopes of every sign-in. */
  readonly scopes: readonly string[];
  /** Whether the provider returns with a POST. */
  readonly postsBack: boolean;
  authorizationUrl(secrets: FlowSecrets, extraScopes: readonly string[]): Promise<string>;
  /** Verifies the parameters of a callback, and exchanges its code for tokens and the profile. */
  signIn(
    answer: URLSearchParams,
    secrets: FlowSecrets,
  ): Promise<{ readonly tokens: ProviderTokens; readonly profile: RawProfile }>;
  refresh(refreshToken: string, scopes: readonly string[]): Promise<ProviderTokens>;
  /** Whether the provider still accepts an access token. */
  accepts(accessToken: string): Promise<boolean>;
}

const clockToleranceSeconds = 30;

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { row, clientId, clientSecret, settings, redirectUri } = options;
  const profileRequest = { source: row.profile, fetch: options.fetch };
  const server = serverOf(row, settings);
  const authenticate = (): oauth.ClientAuth => {
    const secret = row.secretOf?.(clientId, clientSecret, options.clock.now()) ?? clientSecret;
    return row.sendsSecretInBody ? oauth.ClientSecretPost(secret) : basicAuthentication(secret);
  };
  const request = {
    [oauth.customFetch]: options.fetch,
    [oauth.allowInsecureRequests]: options.allowsHttp,
  } as const;
  const clientNow = (): oauth.Client => ({
    client_id: clientId,
    [oauth.clockSkew]: Math.round((options.clock.now() - Date.now()) / 1000),
    [oauth.clockTolerance]: clockToleranceSeconds,
  });

  return {
    scopes: row.scopes,
    postsBack: row.parameters?.(settings).response_mode === 'form_post',

    authorizationUrl: (secrets, extraScopes) => buildAuthorizationUrl(server, options, { secrets, extraScopes }),

    signIn: (answer, { state, verifier, nonce }) =>
      callProvider(async () => {
        const client = clientNow();
        const checked = oauth.validateAuthResponse(server, client, withoutForeignIssuer(answer, row), state);
        const pkce = row.hasNoPkce ? oauth.nopkce : verifier;
        const response = await repairTokenResponse(
          await oauth.authorizationCodeGrantRequest(
            server,
            client,
            authenticate(),
            checked,
            redirectUri,
            pkce,
            request,
          ),
          row.openId === undefined ? ['id_token'] : [],
        );
        const issuer = await issuerOf(response.clone(), row, settings);
        const issuing = { ...server, issuer };
        const result = await oauth.processAuthorizationCodeResponse(issuing, client, response, {
          ...(row.openId?.repeatsNonce ? { expectedNonce: nonce } : undefined),
          requireIdToken: 'fromIdToken' in row.profile,
        });
        // Other ID tokens come directly from the provider (OpenID Connect Core 3.1.3.7, 6).
        if (server.jwks_uri !== undefined) await oauth.validateApplicationLevelSignature(server, response, request);
        const tokens = tokensOf(result, row, options.clock);
        return {
          tokens,
          profile: await fetchProfile(tokens.accessToken, oauth.getValidatedIdTokenClaims(result), profileRequest),
        };
      }),

    refresh: (refreshToken, scopes) =>
      callProvider(async () => {
        const client = clientNow();
        const additionalParameters = scopes.length === 0 ? undefined : { scope: scopes.join(' ') };
        const response = await repairTokenResponse(
          await oauth.refreshTokenGrantRequest(server, client, authenticate(), refreshToken, {
            ...request,
            ...(additionalParameters && { additionalParameters }),
          }),
          ['id_token'],
        );
        return tokensOf(await oauth.processRefreshTokenResponse(server, client, response), row, options.clock);
      }),

    accepts: accessToken => acceptsToken(accessToken, profileRequest),
  };
}

async function buildAuthorizationUrl(
  server: oauth.AuthorizationServer,
  { row, clientId, settings, redirectUri }: ProviderClientOptions,
  { secrets: { state, verifier, nonce }, extraScopes }: { secrets: FlowSecrets; extraScopes: readonly string[] },
): Promise<string> {
  const url = new URL(server.authorization_endpoint ?? '');
  const challenge = {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    access_type: 'offline',
    state,
    scope: [...new Set([...row.scopes, ...extraScopes])].join(' '),
    ...(row.hasNoPkce ? undefined : challenge),
    ...(row.openId?.repeatsNonce ? { nonce } : undefined),
    ...row.parameters?.(settings),
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function serverOf(row: ProviderRow, settings: ProviderSettings): oauth.AuthorizationServer {
  const { openId, profile } = row;
  const [issuer = row.tokenEndpoint] = openId?.issuers(settings, '') ?? [];
  return {
    issuer,
    authorization_endpoint: withTenant(row.authorizationEndpoint, settings),
    token_endpoint: withTenant(row.tokenEndpoint, settings),
    ...('fromIdToken' in profile && profile.keys !== undefined ? { jwks_uri: profile.keys } : undefined),
    ...(openId?.algorithms ? { id_token_signing_alg_values_supported: [...openId.algorithms] } : undefined),
  };
}

/**
 * The expected issuer of the ID token: one of the allowed ones. The library verifies the issuer and the rest of the
 * token afterwards.
 */
async function issuerOf(response: Response, { openId, tokenEndpoint }: ProviderRow, settings: ProviderSettings) {
  const body = response.status === 200 ? tokenBody.safeParse(await readJson(response)).data : undefined;
  const claims = body === undefined ? {} : claimsOf(body.id_token);
  const allowed = openId?.issuers(settings, String(claims.tid)) ?? [];
  return allowed.find(issuer => issuer === claims.iss) ?? allowed[0] ?? tokenEndpoint;
}

const tokenBody = z.object({ id_token: z.string() });

function claimsOf(idToken: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = idToken.split('.');
  return z.looseObject({}).parse(parseJson(Buffer.from(payload, 'base64url').toString()));
}

function withTenant(address: string, settings: ProviderSettings): string {
  return address.replace('{tenant}', encodeURIComponent(microsoftTenant(settings)));
}

/** Some providers do not decode the header, so only characters that need it are encoded. */
function basicAuthentication(clientSecret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const credentials = [client.client_id, clientSecret].map(part => encodeURIComponent(part).replaceAll('%20', '+'));
    headers.set('authorization', `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`);
  };
}

/** RFC 9207: `iss` is verified only where the issuer of the provider is known. */
function withoutForeignIssuer(answer: URLSearchParams, { openId }: ProviderRow): URLSearchParams {
  const copy = new URLSearchParams(answer);
  if (openId === undefined) copy.delete('iss');
  return copy;
}

/**
 * Repairs a token response that RFC 6749 section 5.1 does not allow: removes members that are null or empty, and adds a
 * missing `token_type`.
 *
 * @param unwanted members that are not used here, and may be invalid
 */
async function repairTokenResponse(response: Response, unwanted: readonly string[]): Promise<Response> {
  if (response.status !== 200) return response;
  const body = await readJson(response.clone());
  if (typeof body !== 'object' || body === null || Array.isArray(body) || 'error' in body) return response;
  const given = Object.entries(body).filter(
    ([name, value]) => value !== null && value !== '' && !unwanted.includes(name),
  );
  return Response.json({ token_type: 'Bearer', ...Object.fromEntries(given) });
}

function tokensOf(answer: oauth.TokenEndpointResponse, row: ProviderRow, clock: Clock): ProviderTokens {
  const lifetimeMs = answer.expires_in === undefined ? undefined : answer.expires_in * 1000;
  const toldMillis = Number(answer.expires_at) * 1000;
  const expiresAtMillis = Number.isFinite(toldMillis) ? toldMillis : undefined;
  const nowMillis = clock.now();
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAtMillis: Math.floor(
      lifetimeMs === undefined
        ? (expiresAtMillis ?? nowMillis + (row.tokenLifetimeMs ?? providerTokenLifetimeMs))
        : nowMillis + lifetimeMs,
    ),
  };
}
