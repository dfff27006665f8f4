/** Request headers of the contract (docs/contract/envelope.md#request-headers). Names are case-insensitive. */
export const requestHeaders = {
  accessType: 'x-stack-access-type',
  projectId: 'x-stack-project-id',
  branchId: 'x-stack-branch-id',
  publishableClientKey: 'x-stack-publishable-client-key',
  secretServerKey: 'x-stack-secret-server-key',
  superSecretAdminKey: 'x-stack-super-secret-admin-key',
  adminAccessToken: 'x-stack-admin-access-token',
  accessToken: 'x-stack-access-token',
  refreshToken: 'x-stack-refresh-token',
  clientVersion: 'x-stack-client-version',
  overrideErrorStatus: 'x-stack-override-error-status',
  randomNonce: 'x-stack-random-nonce',
  skipBrowserWarning: 'ngrok-skip-browser-warning',
  /** Extension: a repeated write with the same key gets the stored response for 24 hours. */
  idempotencyKey: 'idempotency-key',
} as const;

/** Response headers of the contract (docs/contract/envelope.md#response-headers). */
export const responseHeaders = {
  knownError: 'x-stack-known-error',
  actualStatus: 'x-stack-actual-status',
  requestId: 'x-stack-request-id',
} as const;

/**
 * A convention between the front end and the back end of an app (docs/contract/envelope.md#request-headers); the API
 * never reads it.
 */
export const authJsonHeader = 'x-stack-auth';

/** CORS headers of every response below `/api/` (docs/contract/envelope.md#cors and docs/contract/decisions.md#service). */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-max-age': '86400',
  'access-control-allow-headers': /* @__PURE__ */ [
    'content-type',
    'authorization',
    'x-stack-project-id',
    'x-stack-branch-id',
    'x-stack-override-error-status',
    'x-stack-random-nonce',
    'x-stack-client-version',
    'x-stack-disable-artificial-development-delay',
    'x-stack-access-type',
    'x-stack-publishable-client-key',
    'x-stack-secret-server-key',
    'x-stack-super-secret-admin-key',
    'x-stack-admin-access-token',
    'x-stack-refresh-token',
    'x-stack-access-token',
    'x-stack-allow-anonymous-user',
    'baggage',
    'sentry-trace',
    'x-vercel-protection-bypass',
    'ngrok-skip-browser-warning',
    'idempotency-key',
  ].join(', '),
  'access-control-expose-headers': /* @__PURE__ */ [
    'content-type',
    'x-stack-actual-status',
    'x-stack-known-error',
    'x-stack-request-id',
    'date',
    'retry-after',
    // The SDK sends the extension header `idempotency-key` only to servers that allow it here.
    'access-control-allow-headers',
  ].join(', '),
} as const;

/** On every response (docs/contract/envelope.md#response-headers). The empty policy is literal in the contract. */
export const securityHeaders = {
  'content-security-policy': '',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': '',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** Default of every response that does not set its own. */
export const noStore = 'no-store, max-age=0';
