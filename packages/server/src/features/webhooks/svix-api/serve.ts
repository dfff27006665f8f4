import { apiPath, corsHeaders, type SvixEndpoint, svixEndpoints } from '@tessera/protocol';
import type { AuditActor } from '../../../core/audit-event.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import type { Settings } from '../../../env.ts';
import { requestSource, senderBlock } from '../../../http/access/source.ts';
import type { ReadTurns } from '../../../http/list-turns.ts';
import type { Incoming } from '../../../http/pipeline.ts';
import { isWellFormedText } from '../../../http/request/read.ts';
import { answer, readStyle } from '../../../http/response/answer.ts';
import { jsonType } from '../../../http/response/content-types.ts';
import { type Draft, respond } from '../../../http/response/respond.ts';
import type { Page } from '../../../http/router.ts';
import type { Log } from '../../../platform/observability/log.ts';
import type { Metrics } from '../../../platform/observability/metrics.ts';
import type { Telemetry } from '../../../platform/observability/telemetry/telemetry.ts';
import { type RateLimits, webhookChangeUses } from '../../../platform/rate-limits/index.ts';
import { type AuditWriter, changedFields } from '../../audit/index.ts';
import { assertMayCall, authenticate, type SvixAccessDeps } from './access.ts';
import { notFound, toSvixFailure } from './failures.ts';
import { readSent, validateInput } from './input.ts';
import type { SvixCall, SvixRoute } from './route.ts';
import type { PortalAccess } from './token.ts';

export interface SvixApiDeps extends SvixAccessDeps {
  readonly settings: Pick<Settings, 'mode' | 'publicUrl' | 'trustedProxyHops'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly telemetry?: Telemetry | undefined;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
  /** The turns of all long reads of a project. The history has no index for every filter. */
  readonly inTurn: ReadTurns;
}

const root = `${apiPath}/app/{app_id}`;
/** The headers that the Svix client sends from a browser. */
const svixHeaders = ['idempotency-key', 'svix-req-id', 'svix-retry-count', 'user-agent'];

/**
 * The routes that the public Svix client calls. Credentials, refusals, names and pages have the format of Svix, so these
 * routes have their own pipeline. They share the response headers, the log and the measurements with the other API.
 *
 * @throws when a route of the table has no handler
 */
export function serveSvix(routes: readonly SvixRoute[], deps: SvixApiDeps): Page[] {
  const allowed = `${corsHeaders['access-control-allow-headers']}, ${svixHeaders.join(', ')}`;
  const answering = {
    ...deps,
    isHttps: deps.settings.publicUrl.startsWith('https:'),
    isDevelopment: deps.settings.mode === 'development',
    toFailure: toSvixFailure,
  };
  const preflight = () => {
    const headers = { 'access-control-allow-headers': allowed };
    return respond({ status: 200, contentType: undefined, body: null, headers }, readStyle(undefined, answering));
  };
  const serve = (endpoint: SvixEndpoint): Page['value'] => {
    const route = routes.find(one => one.endpoint === endpoint);
    const name = `${endpoint.method} ${endpoint.path}`;
    if (route === undefined) throw new Error(`${name} has no handler`);
    return incoming => answer(incoming.request, name, answering, requestId => run(route, incoming, requestId, deps));
  };
  const refuseUnknown = async (incoming: Incoming): Promise<Draft> => {
    await authenticate(incoming, deps);
    notFound();
  };
  const unknown: Page['value'] = incoming =>
    answer(incoming.request, 'unknown', answering, () => refuseUnknown(incoming));
  return [
    ...Object.values<SvixEndpoint>(svixEndpoints).map(endpoint => ({
      method: endpoint.method,
      path: apiPath + endpoint.path,
      value: serve(endpoint),
    })),
    { method: 'OPTIONS', path: `${root}/*`, value: preflight },
    { method: '*', path: `${root}/*`, value: unknown },
  ];
}

async function run(
  { endpoint, handle }: SvixRoute,
  incoming: Incoming,
  traceId: string,
  deps: SvixApiDeps,
): Promise<Draft> {
  const { params, request, peerAddress } = incoming;
  // Before the credentials: a slow body may arrive after the access has ended.
  const sent = await readSent(endpoint, request, () => senderBlock(request.headers, peerAddress, deps.settings));
  const caller = await authenticate(incoming, deps);
  await assertMayCall(endpoint, caller, deps);
  const { access, project } = caller;
  // An id with NUL cannot exist, and PostgreSQL refuses NUL in text.
  if (!Object.values(params).every(isWellFormedText)) notFound();
  const { query, body } = validateInput(endpoint, { url: request.url, sent });
  const source = sourceOf(incoming, traceId, deps);
  const work = async () => handle({ project, access, params, query, body } as SvixCall);
  const read = async () => {
    // A read may wait among others for a minute, in which the key of the token is revoked or its person is removed.
    await assertMayCall(endpoint, await authenticate(incoming, deps), deps);
    return work();
  };
  const isRead = endpoint.method === 'GET';
  if (!isRead) await deps.rateLimits.spend(webhookChangeUses(project.id, source));
  const result = await (isRead ? deps.inTurn(project.id, read) : work());
  if (!isRead) recordChange({ endpoint, access, params, body, source }, deps);
  if (deps.settings.mode === 'development') endpoint.response?.parse(result);
  if (endpoint.response === undefined) return { status: endpoint.status, contentType: undefined, body: null };
  return { status: endpoint.status, contentType: jsonType, body: JSON.stringify(result) };
}

function sourceOf({ request, peerAddress }: Incoming, traceId: string, { settings }: SvixApiDeps): RequestSource {
  const { trustedProxyHops, mode } = settings;
  return requestSource(
    request.headers,
    { peerAddress, traceId },
    { trustedProxyHops, isDevelopment: mode === 'development' },
  );
}

interface Change {
  readonly endpoint: SvixEndpoint;
  readonly access: PortalAccess;
  readonly params: Record<string, string>;
  readonly body: unknown;
  readonly source: RequestSource;
}

/** Records a change in the audit log, as the other API does (control 97). */
function recordChange({ endpoint, access, params, body, source }: Change, { audit, clock }: SvixApiDeps): void {
  const { app_id: _, ...named } = params;
  audit.record({
    projectId: access.projectId,
    action: 'admin.request',
    actor: actorOf(access),
    source,
    details: { route: `${endpoint.method} ${endpoint.path}`, params: named, ...changedFields(endpoint, body) },
    atMillis: clock.now(),
  });
}

function actorOf({ ownerId, keySetId }: PortalAccess): AuditActor {
  return ownerId === undefined ? { type: 'admin_key', id: keySetId ?? null } : { type: 'owner', id: ownerId };
}
