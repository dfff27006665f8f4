import { fail, type oauthEndpoints, oauthProviderNames } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { LoadedProject, Project } from '../../../core/project.ts';
import type { Settings } from '../../../env.ts';
import { ResponseOverride } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccessTokens } from '../../../platform/crypto/access-tokens.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { clientWriteUses, oauthFlowUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { assertNotImpersonated, assertRecentSignIn, selectUser } from '../../accounts/users/index.ts';
import type { AuditWriter } from '../../audit/index.ts';
import type { Projects } from '../../projects/index.ts';
import { holdOpenSession, projectOfClient } from '../../sessions/index.ts';
import { auditedFlow, flowAttempt } from '../audited-flow.ts';
import {
  type ConfiguredProvider,
  clientOf,
  configuredProvider,
  type ProviderClientDeps,
} from '../providers/clients.ts';
import type { ProviderClient } from '../providers/provider-client.ts';
import { type FlowPurpose, ProviderFailure, refuseFailure, scopesOf } from '../rules.ts';
import { flowCookies } from './cookies.ts';
import { type FlowRequest, newFlowSecrets, storeFlow } from './flow.ts';
import { assertNavigation } from './navigation.ts';

export type AuthorizeDeps = ProviderClientDeps & {
  readonly settings: Pick<Settings, 'mode'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly rateLimits: RateLimits;
  readonly audit: AuditWriter;
};

type AuthorizeCall = Call<typeof oauthEndpoints.authorize>;

/** Stores the flow and redirects the browser to the provider (docs/contract/oauth.md#authorize). */
export async function authorize(call: AuthorizeCall, deps: AuthorizeDeps): Promise<ResponseOverride> {
  const { query, params, source, request } = call;
  assertNavigation(request.headers);
  const { project } = await clientProject(query.client_id, query.client_secret, deps);
  const attempt = flowAttempt(project, source);
  const method = Object.hasOwn(oauthProviderNames, params.provider_id) ? params.provider_id : 'oauth';
  return auditedFlow(attempt, method, () => beginFlow(call, project, deps), deps);
}

async function beginFlow(
  { query, params, source, request: { headers } }: AuthorizeCall,
  project: Project,
  deps: AuthorizeDeps,
): Promise<ResponseOverride> {
  const provider = configuredProvider(params.provider_id, project.config);
  const purpose = await purposeOf(query, { project, provider }, deps);
  const request: FlowRequest = {
    redirectUri: withoutFragment(query.redirect_uri),
    scope: query.scope,
    state: query.state,
    codeChallenge: query.code_challenge,
    purpose,
    extraScopes: scopesOf(query.provider_scope),
    errorRedirectUrl: query.error_redirect_uri ?? query.error_redirect_url ?? null,
    afterCallbackRedirectUrl: query.after_callback_redirect_url ?? null,
  };
  await deps.rateLimits.spend(oauthFlowUses(project.id, source));
  const client = await clientFor(project.id, provider, deps);
  const secrets = newFlowSecrets();
  await storeFlow(project.id, provider.id, { request, secrets }, deps);
  const location = await client.authorizationUrl(secrets, request.extraScopes);
  return redirectToProvider({ location, state: secrets.state, cookies: headers.get('cookie'), client }, deps);
}

/** Sends the browser to the provider, with the cookie of the flow. */
export function redirectToProvider(
  flow: {
    readonly location: string;
    readonly state: string;
    /** The cookie header of the request. */
    readonly cookies: string | null;
    readonly client: ProviderClient;
  },
  { settings, clock }: Pick<AuthorizeDeps, 'settings' | 'clock'>,
): ResponseOverride {
  const style = { isSecure: settings.mode !== 'development', isForPost: flow.client.postsBack };
  const cookies = flowCookies(flow, clock.now(), style);
  return new ResponseOverride({}, { status: 307, headers: { location: flow.location, 'set-cookie': cookies } });
}

/** The project of an app, which sends its publishable key in the query. */
async function clientProject(clientId: string, clientSecret: string, deps: AuthorizeDeps): Promise<LoadedProject> {
  const projectId = projectOfClient(clientId);
  const loaded = projectId === undefined ? undefined : await deps.projects.find(projectId);
  if (loaded === undefined) fail('INVALID_OAUTH_CLIENT_ID_OR_SECRET', { client_id: clientId });
  const hasKey = deps.projects.hasKey(loaded, 'publishableClientKey', sha256(clientSecret));
  return hasKey ? loaded : fail('INVALID_PUBLISHABLE_CLIENT_KEY', { project_id: loaded.project.id });
}

async function purposeOf(
  query: AuthorizeCall['query'],
  { project, provider }: { project: Project; provider: ConfiguredProvider },
  deps: AuthorizeDeps,
): Promise<FlowPurpose> {
  if (query.type === 'authenticate') {
    return { type: 'authenticate', ...(await anonymousCallerOf(query.token, project, deps)) };
  }
  const verdict = await deps.accessTokens.verify(query.token);
  if (verdict.status === 'unparsable') fail('UNPARSABLE_ACCESS_TOKEN');
  if (verdict.status === 'expired') fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: verdict.expiredAtMillis });
  const { projectId, userId, sessionId = null } = verdict.claims;
  if (projectId !== project.id) refuse(403, 'The access token belongs to another project.');
  const nowMillis = deps.clock.now();
  const isOpen = await holdOpenSession(deps.db, project, { sessionId, userId, nowMillis });
  if (!isOpen) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: nowMillis });
  const hasExtraScopes = scopesOf(query.provider_scope).length > 0;
  if (hasExtraScopes && provider.type === 'shared') fail('OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS');
  await assertRecentSignIn({ level: 'client', project, sessionId: sessionId ?? undefined }, deps);
  // The removal of the link, which no limit may delay, sends the user to webhooks.
  const user = await selectUser(deps.db, project.id, userId);
  await deps.rateLimits.spend(clientWriteUses({ level: 'client', project, user }, user));
  return { type: 'link', userId, sessionId };
}

/** The access token of an anonymous user requests the upgrade of that user. A sign-in ignores every other token. */
async function anonymousCallerOf(
  token: string,
  project: Project,
  deps: AuthorizeDeps,
): Promise<{ anonymousUserId: string | null; sessionId: string | null }> {
  const none = { anonymousUserId: null, sessionId: null };
  if (token === '') return none;
  const verdict = await deps.accessTokens.verify(token);
  if (verdict.status !== 'valid' || verdict.claims.projectId !== project.id) return none;
  const { userId, sessionId = null } = verdict.claims;
  const user = await selectUser(deps.db, project.id, userId);
  if (user?.isAnonymous !== true) return none;
  await assertNotImpersonated({ level: 'client', project, sessionId: sessionId ?? undefined }, deps.db);
  return { anonymousUserId: userId, sessionId };
}

/** @throws a text 400 when the client of the provider cannot be made */
export async function clientFor(
  projectId: string,
  provider: ConfiguredProvider,
  deps: AuthorizeDeps,
): Promise<ProviderClient> {
  try {
    return await clientOf(projectId, provider, deps);
  } catch (error) {
    if (error instanceof ProviderFailure) refuseFailure(error);
    throw error;
  }
}

function withoutFragment(address: string): string {
  const [rest = ''] = address.split('#', 1);
  return rest;
}
