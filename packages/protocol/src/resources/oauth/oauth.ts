import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { url } from '../../fields/fields.ts';
import { parseUrl } from '../../urls.ts';

/** RFC 6749 section 5.1, as narrowed by docs/contract/tokens-and-sessions.md#refresh-grant. */
const refreshed = {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int().positive(),
  scope: z.literal('legacy'),
};

/** docs/contract/oauth.md#code-exchange: two facts, each with two spellings. */
const exchanged = {
  ...refreshed,
  refresh_token: z.string(),
  is_new_user: z.boolean(),
  newUser: z.boolean(),
  after_callback_redirect_url: z.string().nullable(),
  afterCallbackRedirectUrl: z.string().nullable(),
};

const printable = z.string().regex(/^[\x20-\x7e]+$/, 'must be printable ASCII characters, one or more');

/** RFC 6749 section 3.2: a parameter that is sent without a value is treated as omitted. */
const tokenParameter = z
  .string()
  .transform(value => (value === '' ? undefined : value))
  .optional();

/** A URL with one of these schemes is a program or an inline document: no redirect goes there after sign-in (control 48). */
const runsByItself = /^(?:javascript|vbscript|data):$/;

const returnAddress = z
  .string()
  .refine(value => !runsByItself.test(parseUrl(value)?.protocol ?? ''), 'must not be a script');

const providerParams = z.strictObject({ provider_id: z.string().min(1) });

/** The parameters that a provider sends; it may send more. */
const providerAnswer = z.looseObject({ state: z.string().optional() });

/** docs/contract/oauth.md#account-decision: the callback decides, and the code exchange decides again. */
const accountErrors = [
  'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
  'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
  'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
  'SIGN_UP_NOT_ENABLED',
  'EMAIL_ADDRESS_NOT_ALLOWED',
  'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
] as const;

const callbackErrors = ['OUTER_OAUTH_TIMEOUT', 'OAUTH_PROVIDER_ACCESS_DENIED', ...accountErrors] as const;

/** docs/contract/oauth.md, and docs/contract/tokens-and-sessions.md#refresh-grant */
export const oauthEndpoints = {
  authorize: endpoint({
    method: 'GET',
    path: '/auth/oauth/authorize/{provider_id}',
    access: 'none',
    params: providerParams,
    query: z.strictObject({
      client_id: z.string(),
      client_secret: z.string(),
      redirect_uri: url,
      scope: z.string(),
      state: printable,
      grant_type: z.literal('authorization_code'),
      code_challenge: z.string(),
      code_challenge_method: z.literal('S256'),
      response_type: z.literal('code'),
      type: z.enum(['authenticate', 'link']).default('authenticate'),
      token: z.string().default(''),
      provider_scope: z.string().optional(),
      error_redirect_url: url.optional(),
      error_redirect_uri: url.optional(),
      after_callback_redirect_url: returnAddress.optional(),
    }),
    response: z.strictObject({}),
    summary: 'Start a sign-in with a provider: a redirect (307) to it',
    tag: 'Sign-in',
    errors: [
      'INVALID_OAUTH_CLIENT_ID_OR_SECRET',
      'INVALID_PUBLISHABLE_CLIENT_KEY',
      'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      'UNPARSABLE_ACCESS_TOKEN',
      'ACCESS_TOKEN_EXPIRED',
      'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
    ],
  }),
  callback: endpoint({
    method: 'GET',
    path: '/auth/oauth/callback/{provider_id}',
    access: 'none',
    params: providerParams,
    query: providerAnswer,
    response: z.strictObject({}),
    summary: 'The callback of a provider: a redirect (303) to the app',
    tag: 'Sign-in',
    errors: callbackErrors,
  }),
  callbackByForm: endpoint({
    method: 'POST',
    path: '/auth/oauth/callback/{provider_id}',
    access: 'none',
    params: providerParams,
    query: providerAnswer,
    body: providerAnswer.optional(),
    response: z.strictObject({}),
    summary: 'The callback of providers that send a form',
    tag: 'Sign-in',
    errors: callbackErrors,
  }),
  token: endpoint({
    method: 'POST',
    path: '/auth/oauth/token',
    access: 'none',
    endedSession: 'accepted',
    ignoresIdempotencyKey: true,
    body: z.object({
      grant_type: z.enum(['authorization_code', 'refresh_token']),
      code: tokenParameter,
      redirect_uri: tokenParameter,
      code_verifier: tokenParameter,
      refresh_token: tokenParameter,
      client_id: tokenParameter,
      client_secret: tokenParameter,
      scope: tokenParameter,
    }),
    response: z.union([
      // The token is present only when the project rotates refresh tokens.
      z.strictObject({ ...refreshed, refresh_token: z.string().optional() }),
      z.strictObject(exchanged),
    ]),
    cacheControl: 'no-store',
    summary: 'Token endpoint of the outer OAuth flow (RFC 6749 sections 4.1.3 and 6)',
    tag: 'Sessions',
    errors: [
      'INVALID_OAUTH_CLIENT_ID_OR_SECRET',
      'INVALID_AUTHORIZATION_CODE',
      'REDIRECT_URL_NOT_WHITELISTED',
      ...accountErrors,
      'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
      'USER_SUSPENDED',
      'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
      'INVALID_SCOPE',
    ],
  }),
};
