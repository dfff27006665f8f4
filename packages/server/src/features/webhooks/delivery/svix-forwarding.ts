import { outboundTimeoutMs, svixRateLimitRetries, svixRetryDelayMs, svixRetryMaxDelayMs } from '@tessera/protocol';
import * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import { refuse } from '../../../http/refusal.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { projectFlag, type Task } from '../../../platform/queue/work.ts';
import type { Projects } from '../../projects/index.ts';
import { eventTask } from '../events/index.ts';
import { selectEvent } from './store.ts';

/** A Svix server chosen by the operator. It stores endpoints, delivers and retries. */
export interface SvixServer {
  readonly url: string;
  readonly apiKey: string;
}

interface ForwardingDeps {
  readonly db: Database;
  readonly fetch: typeof fetch;
  readonly log: Log;
  readonly projects: Projects;
}

const eventReference = z.object({
  projectId: z.string(),
  id: z.string(),
  /** Number of 429 responses so far. */
  rateLimitedCount: z.number().default(0),
});

const portalAccess = z.object({ token: z.string() });
const retrySeconds = '5';

/** Returns an app portal token for a project. Creates the Svix application if needed. */
export async function portalToken(project: Project, server: SvixServer, deps: ForwardingDeps): Promise<string> {
  try {
    await createApplication(project, server, deps);
    const response = await post(server, { path: `/api/v1/auth/app-portal-access/${project.id}`, body: {} }, deps);
    if (!response.ok) {
      await discardBody(response);
      throw new Error(`Svix answered ${response.status}`);
    }
    return portalAccess.parse(await response.json()).token;
  } catch (error) {
    deps.log.error({ error, projectId: project.id }, 'the Svix server returned no token');
    refuse(503, 'The webhook service cannot be reached right now.', { headers: { 'retry-after': retrySeconds } });
  }
}

/**
 * Forwards an event to the Svix server. The event id is the idempotency key, so a repeated request makes no second
 * message. A 429 is retried a few times with growing delays; the queue retries every other failure.
 */
export function svixForwarding(server: SvixServer, deps: ForwardingDeps): Task {
  return async payload => {
    const { projectId, id, rateLimitedCount } = eventReference.parse(payload);
    const [event, loaded] = await Promise.all([selectEvent(deps.db, projectId, id), deps.projects.find(projectId)]);
    if (event === undefined || loaded === undefined) return;
    const message = { eventType: event.type, payload: { type: event.type, data: JSON.parse(event.data) } };
    const response = await postMessage(loaded.project, { id, message }, server, deps);
    if (response.ok || response.status === 409) return;
    if (response.status !== 429 || rateLimitedCount >= svixRateLimitRetries) {
      throw new Error(`Svix answered ${response.status} to an event`);
    }
    const delayMs = retryDelayOf(response, rateLimitedCount);
    const flags = [projectFlag(projectId)];
    await transaction(deps.db, tx =>
      addJob(tx, eventTask, { projectId, id, rateLimitedCount: rateLimitedCount + 1 }, { delayMs, flags }),
    );
  };
}

/**
 * Sends the message first, because most applications exist. Svix accepts a message with a known idempotency key only
 * once.
 */
async function postMessage(
  project: Project,
  event: { id: string; message: object },
  server: SvixServer,
  deps: ForwardingDeps,
): Promise<Response> {
  const request = {
    path: `/api/v1/app/${project.id}/msg`,
    body: event.message,
    headers: { 'idempotency-key': event.id },
  };
  const send = async () => discardBody(await post(server, request, deps));
  const response = await send();
  if (response.status !== 404) return response;
  await createApplication(project, server, deps);
  return send();
}

async function createApplication(
  { id, displayName }: Project,
  server: SvixServer,
  deps: ForwardingDeps,
): Promise<void> {
  const request = { path: '/api/v1/app?get_if_exists=true', body: { name: displayName || id, uid: id } };
  const response = await discardBody(await post(server, request, deps));
  if (!response.ok) throw new Error(`Svix answered ${response.status} to an application`);
}

/** An unread body holds its connection until the garbage collection. */
async function discardBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return response;
}

interface SvixRequest {
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function post(
  { url, apiKey }: SvixServer,
  { path, body, headers }: SvixRequest,
  { fetch }: ForwardingDeps,
): Promise<Response> {
  const standard = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  return fetch(url + path, {
    method: 'POST',
    headers: { ...standard, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(outboundTimeoutMs),
  });
}

/** The delay from Retry-After within bounds, else a delay that doubles with each retry. */
function retryDelayOf(response: Response, rateLimitedCount: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (!(seconds >= 0)) return svixRetryDelayMs * 2 ** rateLimitedCount;
  return Math.min(seconds * 1000, svixRetryMaxDelayMs);
}
