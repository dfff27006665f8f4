import { fail, type oauthEndpoints } from '@tessera/protocol';
import type { AuditedCall } from '../../../core/audit-event.ts';
import type { Call } from '../../../core/call.ts';
import type { LoadedProject } from '../../../core/project.ts';
import { ResponseOverride } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import { type Secrets, sha256 } from '../../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { type RateLimits, unknownOAuthCodeUses } from '../../../platform/rate-limits/index.ts';
import type { AuditWriter } from '../../audit/index.ts';
import type { Projects } from '../../projects/index.ts';
import {
  type ActivityWriter,
  assertScope,
  type FindSession,
  isPrintable,
  placeOf,
  projectOfClient,
  refreshSession,
} from '../../sessions/index.ts';
import { type Learn, recordFailedSignIn } from '../../sign-in/index.ts';
import { auditedFlow, flowAttempt } from '../audited-flow.ts';
import { redirectProblem } from '../rules.ts';
import {
  type AuthorizationCodeRow,
  revokeExchange,
  selectAuthorizationCode,
  spendAuthorizationCode,
} from '../store.ts';
import { exchangedView, refreshedView } from '../wire.ts';
import { type ExchangeContext, type ExchangeDeps, exchangeCode } from './exchange.ts';
import { fitsChallenge } from './pkce.ts';

export type TokenDeps = ExchangeDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly findSession: FindSession;
  readonly activity: ActivityWriter;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
};

interface TokenContext extends ExchangeContext {
  readonly deps: TokenDeps;
}

export type TokenCall = Call<typeof oauthEndpoints.token>;

const notKept = { pragma: 'no-cache' };

/** docs/contract/tokens-and-sessions.md#refresh-grant */
export async function refreshGrant({ body, request, source }: TokenCall, deps: TokenDeps): Promise<ResponseOverride> {
  const loaded = await projectOf(body.client_id, deps);
  assertClient(loaded, body.client_secret, deps);
  if (!isPrintable(body.refresh_token)) {
    return invalidRequest('The parameter refresh_token is missing or not printable.');
  }
  assertScope(body.scope);
  const place = placeOf({ level: 'client', request, source });
  const tokens = await refreshSession(loaded, { refreshToken: body.refresh_token, place, source }, deps);
  return new ResponseOverride(refreshedView(tokens, deps.accessTokens.lifetimeMs), { headers: notKept });
}

/** docs/contract/oauth.md#code-exchange */
export async function codeGrant(call: TokenCall, context: TokenContext): Promise<ResponseOverride> {
  const { deps } = context;
  const { body, source } = call;
  const loaded = await projectOf(body.client_id, deps);
  // A public client proves by the verifier that it started the flow.
  const isPublic = body.client_secret === undefined && body.code_verifier !== undefined;
  if (loaded === undefined || !isPublic) assertClient(loaded, body.client_secret, deps);
  if (!isPrintable(body.code)) return invalidRequest('The parameter code is missing or not printable.');

  const hash = sha256(body.code);
  const audited = flowAttempt(loaded.project, source);
  return auditedFlow(audited, 'oauth', learn => signIn(call, { loaded, hash, audited, learn }, context), deps);
}

interface Exchange {
  readonly loaded: LoadedProject;
  /** The hash of the code. */
  readonly hash: Buffer;
  readonly audited: AuditedCall;
  readonly learn: Learn;
}

async function signIn(call: TokenCall, exchange: Exchange, context: TokenContext): Promise<ResponseOverride> {
  const { body, request, source } = call;
  const { loaded, hash, audited, learn } = exchange;
  const { deps } = context;
  const { project } = loaded;
  const code = await usableCode(exchange, deps);
  if (!fitsChallenge(body.code_verifier, code.codeChallenge)) fail('INVALID_AUTHORIZATION_CODE');
  const problem = redirectProblem(body.redirect_uri, code.redirectUri, project.config);
  if (problem !== undefined) {
    await spendAuthorizationCode(deps.db, project.id, hash, deps.clock.now());
    if (problem === 'refused') fail('REDIRECT_URL_NOT_WHITELISTED');
    const failed = { method: code.providerId, reason: 'invalid_request', userId: code.userId ?? undefined };
    recordFailedSignIn(audited, failed, deps);
    return invalidRequest('The parameter redirect_uri is missing or no URI.');
  }
  const { providerId, providerSignIn, afterCallbackRedirectUrl } = code;
  const exchanged = await exchangeCode(
    { project, hash, providerId, providerSignIn },
    { request, source, learn },
    context,
  );
  if (exchanged === 'already used') return refuseSecondUse(project.id, hash, deps);
  const { tokens, isNewUser } = exchanged;
  const view = exchangedView(tokens, { isNewUser, afterCallbackRedirectUrl }, deps.accessTokens.lifetimeMs);
  return new ResponseOverride(view, { headers: notKept });
}

/** @throws INVALID_AUTHORIZATION_CODE. A second use of a code also revokes its session (control 50) */
async function usableCode({ loaded, hash, audited, learn }: Exchange, deps: TokenDeps): Promise<AuthorizationCodeRow> {
  const { id: projectId } = loaded.project;
  const code = await selectAuthorizationCode(deps.db, projectId, hash);
  if (code === undefined) {
    await deps.rateLimits.spend(unknownOAuthCodeUses(projectId, audited.source));
    fail('INVALID_AUTHORIZATION_CODE');
  }
  learn({ method: code.providerId, userId: code.userId ?? undefined });
  if (code.usedAtMillis !== null) await refuseSecondUse(projectId, hash, deps);
  if (code.expiresAtMillis <= deps.clock.now()) fail('INVALID_AUTHORIZATION_CODE');
  return code;
}

/** The code is known to two parties, and the server cannot tell which one is legitimate (RFC 6749 section 4.1.2). */
async function refuseSecondUse(projectId: string, hash: Buffer, deps: TokenDeps): Promise<never> {
  await transaction(deps.db, tx => revokeExchange(tx, projectId, hash));
  fail('INVALID_AUTHORIZATION_CODE');
}

function projectOf(clientId: string | undefined, deps: TokenDeps): Promise<LoadedProject | undefined> {
  const projectId = projectOfClient(clientId);
  return projectId === undefined ? Promise.resolve(undefined) : deps.projects.find(projectId);
}

/** @throws INVALID_OAUTH_CLIENT_ID_OR_SECRET for an unknown client or a wrong publishable key */
function assertClient(
  loaded: LoadedProject | undefined,
  clientSecret: string | undefined,
  { projects }: TokenDeps,
): asserts loaded is LoadedProject {
  const isClient =
    loaded !== undefined &&
    clientSecret !== undefined &&
    projects.hasKey(loaded, 'publishableClientKey', sha256(clientSecret));
  if (!isClient) fail('INVALID_OAUTH_CLIENT_ID_OR_SECRET', { client_id: null });
}

/** RFC 6749 section 5.2: the form that OAuth libraries read. */
function invalidRequest(description: string): ResponseOverride {
  return new ResponseOverride({ error: 'invalid_request', error_description: description }, { status: 400 });
}
