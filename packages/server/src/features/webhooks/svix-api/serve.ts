import {
  apiPath,
  coercionOf,
  corsHeaders,
  fail,
  isRoleAtLeast,
  type ProjectRole,
  roleOf,
  type SvixEndpoint,
  svixEndpoints,
  urlMaxLength,
} from '@tessera/protocol';
import type * as z from 'zod';
import type { AuditActor } from '../../../core/audit-event.ts';
import type { LoadedProject, Project } from '../../../core/project.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import type { Settings } from '../../../env.ts';
import { requestSource } from '../../../http/access/source.ts';
import type { Incoming } from '../../../http/pipeline.ts';
import { refuse } from '../../../http/refusal.ts';
import { isWellFormedText, readBody } from '../../../http/request/read.ts';
import { listIssues } from '../../../http/request/validate.ts';
import { createDateText } from '../../../http/response/date-text.ts';
import type { Reply } from '../../../http/response/reply.ts';
import { type Draft, draftOf, jsonType, respond } from '../../../http/response/respond.ts';
import type { Page } from '../../../http/router.ts';
import type { Clock } from '../../../platform/clock.ts';
import { randomRequestId } from '../../../platform/crypto/random.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { Metrics } from '../../../platform/observability/metrics.ts';
import { type RateLimits, webhookChangeUses } from '../../../platform/rate-limits/index.ts';
import { assertRecentOwner, findOwnerRole } from '../../accounts/users/index.ts';
import { type AuditWriter, changedFields } from '../../audit/index.ts';
import type { Projects } from '../../projects/index.ts';
import { applicationId } from '../rules.ts';
import { notFound, SvixRefusal, toSvixFailure } from './failures.ts';
import { type PortalAccess, readPortalToken } from './token.ts';

const dateOf = createDateText();

export interface SvixApiDeps {
  readonly settings: Pick<Settings, 'mode' | 'publicUrl' | 'trustedProxyHops'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
}

type Schema<E, Part extends string> = Part extends keyof E ? E[Part] : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A validated request to a Svix-compatible route. */
export interface SvixCall<E extends SvixEndpoint = SvixEndpoint> {
  readonly project: Project;
  /** Raw path parameters. The named objects may not exist. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Output<Schema<E, 'query'>>;
  readonly body: Output<Schema<E, 'body'>>;
}

export interface SvixRoute {
  readonly endpoint: SvixEndpoint;
  readonly handle: (call: SvixCall) => Promise<unknown>;
}

type Answer<E extends SvixEndpoint> = E extends { response: infer S } ? Output<S> : undefined;

/** Binds a Svix-compatible route to its handler. */
export function svixRoute<const E extends SvixEndpoint>(
  endpoint: E,
  handler: (call: SvixCall<E>) => Promise<Answer<E>>,
): SvixRoute {
  // Requests are validated against this route, so the call has the type of the handler.
  return { endpoint, handle: handler as unknown as SvixRoute['handle'] };
}

const root = `${apiPath}/app/{app_id}`;
/** The headers that the Svix client sends from a browser. */
const svixHeaders = ['idempotency-key', 'svix-req-id', 'svix-retry-count', 'user-agent'];

/**
 * The routes that the public Svix client calls. Credentials, refusals, names and pages have the format of Svix, so these
 * routes have their own pipeline. They share only the response headers with the other API.
 *
 * @throws when a route of the table has no handler
 */
export function serveSvix(routes: readonly SvixRoute[], deps: SvixApiDeps): Page[] {
  const isHttps = deps.settings.publicUrl.startsWith('https:');
  const allowed = `${corsHeaders['access-control-allow-headers']}, ${svixHeaders.join(', ')}`;
  const preflight = () => {
    const draft = {
      status: 200,
      contentType: undefined,
      body: null,
      headers: { 'access-control-allow-headers': allowed },
    };
    const date = dateOf(deps.clock.now());
    return respond(draft, { requestId: randomRequestId(), overridesStatus: false, isHttps, date });
  };
  const serve = (endpoint: SvixEndpoint): Page['value'] => {
    const route = routes.find(one => one.endpoint === endpoint);
    const name = `${endpoint.method} ${endpoint.path}`;
    if (route === undefined) throw new Error(`${name} has no handler`);
    return incoming => answer(incoming, { name, isHttps }, deps, traceId => run(route, incoming, traceId, deps));
  };
  const nothing: Page['value'] = incoming =>
    answer(incoming, { name: 'unknown', isHttps }, deps, async () => {
      await authenticate(incoming, deps);
      notFound();
    });
  return [
    ...Object.values<SvixEndpoint>(svixEndpoints).map(endpoint => ({
      method: endpoint.method,
      path: apiPath + endpoint.path,
      value: serve(endpoint),
    })),
    { method: 'OPTIONS', path: `${root}/*`, value: preflight },
    { method: '*', path: `${root}/*`, value: nothing },
  ];
}

async function run(
  { endpoint, handle }: SvixRoute,
  incoming: Incoming,
  traceId: string,
  deps: SvixApiDeps,
): Promise<Draft> {
  const { access, project, role } = await authenticate(incoming, deps);
  if (role !== undefined) await assertPersonMayCall(endpoint, { role, sessionId: access.ownerSessionId }, deps);
  const { params, request } = incoming;
  // An id with NUL cannot exist, and PostgreSQL refuses NUL in text.
  if (!Object.values(params).every(isWellFormedText)) notFound();
  const violations: Violations = [];
  const query = validate(endpoint.query, 'query', queryOf(request.url), violations);
  const sent = endpoint.body === undefined ? undefined : await readBody(request);
  const body = validate(endpoint.body, 'body', sent, violations);
  if (violations.length > 0) throw new SvixRefusal(422, 'validation', violations);
  const source = sourceOf(incoming, traceId, deps);
  if (endpoint.method !== 'GET') await deps.rateLimits.spend(webhookChangeUses(project.id, source));
  const result = await handle({ project, params, query, body } as SvixCall);
  if (endpoint.method !== 'GET') noteChange({ endpoint, access, params, body, source }, deps);
  if (deps.settings.mode === 'development') endpoint.response?.parse(result);
  if (endpoint.response === undefined) return { status: endpoint.status, contentType: undefined, body: null };
  return { status: endpoint.status, contentType: jsonType, body: JSON.stringify(result) };
}

/** Authenticates the caller and selects the project, before any other check. */
async function authenticate(
  incoming: Incoming,
  deps: SvixApiDeps,
): Promise<{ access: PortalAccess; project: Project; role: ProjectRole | undefined }> {
  const { request, params } = incoming;
  if (request.url.length > urlMaxLength) refuse(414, `The address is longer than ${urlMaxLength} characters.`);
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const access = token === undefined ? undefined : readPortalToken(token, deps);
  if (access === undefined) throw new SvixRefusal(401, 'authentication_failed', 'Invalid token');
  const asked = params.app_id;
  if (asked !== access.projectId && asked !== applicationId(access.projectId)) {
    throw new SvixRefusal(403, 'permission_denied', 'The token is for another application');
  }
  const loaded = (await deps.projects.find(access.projectId)) ?? notFound();
  const role = access.keySetId === undefined ? await findRole(access, deps) : undefined;
  if (role === undefined && !hasKeySet(access, loaded, deps)) {
    throw new SvixRefusal(401, 'authentication_failed', 'Invalid token');
  }
  return { access, project: loaded.project, role };
}

/** A token ends with the key set that it was requested with. */
function hasKeySet({ keySetId }: PortalAccess, loaded: LoadedProject, deps: SvixApiDeps): boolean {
  return keySetId !== undefined && deps.projects.hasKeySet(loaded, keySetId);
}

/** A token also ends with the session, the ownership or the membership that it was requested with. */
async function findRole(
  { projectId, ownerId, ownerSessionId }: PortalAccess,
  deps: SvixApiDeps,
): Promise<ProjectRole | undefined> {
  if (ownerId === undefined) return undefined;
  return findOwnerRole(deps.db, { projectId, ownerId, ownerSessionId }, deps.clock.now());
}

/**
 * Checks role and recent sign-in of a person, as the pipeline of the other API does. A key has neither.
 *
 * @throws PROJECT_ROLE_INSUFFICIENT, REAUTHENTICATION_REQUIRED
 */
async function assertPersonMayCall(
  endpoint: SvixEndpoint,
  { role, sessionId }: { readonly role: ProjectRole; readonly sessionId: string | undefined },
  deps: SvixApiDeps,
): Promise<void> {
  const lowest = roleOf(endpoint);
  if (!isRoleAtLeast(role, lowest)) {
    fail('PROJECT_ROLE_INSUFFICIENT', { actual_role: role, required_role: lowest });
  }
  if (endpoint.recentSignInWithinMs !== undefined) {
    await assertRecentOwner(sessionId, endpoint.recentSignInWithinMs, deps);
  }
}

type Violations = { loc: string[]; msg: string; type: 'value_error' }[];

function validate(
  schema: z.ZodObject | undefined,
  place: 'query' | 'body',
  given: unknown,
  violations: Violations,
): unknown {
  if (schema === undefined) return undefined;
  // Query values are text and must be converted. A JSON body has types.
  const value = place === 'query' ? coercionOf(schema)(given) : given;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { listed, others } = listIssues(result.error.issues);
  for (const { path, message } of listed) {
    violations.push({ loc: [place, ...path.map(String)], msg: message, type: 'value_error' });
  }
  if (others > 0) violations.push({ loc: [place], msg: `${others} more violations`, type: 'value_error' });
  return undefined;
}

function queryOf(url: string): Record<string, string> {
  const query = Object.fromEntries(new URL(url).searchParams);
  const isReadable = Object.values(query).every(isWellFormedText);
  if (!isReadable)
    throw new SvixRefusal(422, 'validation', 'The query holds a NUL character or half a surrogate pair.');
  return query;
}

interface Change {
  readonly endpoint: SvixEndpoint;
  readonly access: PortalAccess;
  readonly params: Record<string, string>;
  readonly body: unknown;
  readonly source: RequestSource;
}

/** Records changes in the audit log, as the other API does (control 97). */
function noteChange({ endpoint, access, params, body, source }: Change, deps: SvixApiDeps): void {
  const { app_id: _, ...named } = params;
  deps.audit.record({
    projectId: access.projectId,
    action: 'admin.request',
    actor: actorOf(access),
    source,
    details: { route: `${endpoint.method} ${endpoint.path}`, params: named, ...changedFields(endpoint, body) },
    atMillis: deps.clock.now(),
  });
}

function actorOf({ ownerId, keySetId }: PortalAccess): AuditActor {
  return ownerId === undefined ? { type: 'admin_key', id: keySetId ?? null } : { type: 'owner', id: ownerId };
}

function sourceOf({ request, peerAddress }: Incoming, traceId: string, { settings }: SvixApiDeps): RequestSource {
  const { trustedProxyHops, mode } = settings;
  return requestSource(
    request.headers,
    { peerAddress, traceId },
    { trustedProxyHops, isDevelopment: mode === 'development' },
  );
}

async function answer(
  incoming: Incoming,
  { name, isHttps }: { name: string; isHttps: boolean },
  deps: SvixApiDeps,
  work: (traceId: string) => Promise<Draft>,
): Promise<Reply> {
  const startedAt = performance.now();
  const requestId = randomRequestId();
  const showsDetails = deps.settings.mode === 'development';
  const draft = await work(requestId).catch((error: unknown) => {
    const failure = toSvixFailure(error, { requestId, showsDetails });
    if (!failure.isExpected) deps.log.error({ requestId, route: name, error }, 'a request failed');
    return draftOf(failure);
  });
  const durationMs = performance.now() - startedAt;
  deps.metrics.request(name, draft.status, durationMs);
  deps.log.debug(
    { requestId, method: incoming.request.method, route: name, status: draft.status, durationMs },
    'request',
  );
  const date = dateOf(deps.clock.now());
  return respond(draft, { requestId, overridesStatus: false, isHttps, date });
}
