import { outboundTimeoutMs, svixRateLimitRetries, svixRetryDelayMs } from '@tessera/protocol';
import * as z from 'zod';
import type { Deps } from '../../deps.ts';
import { refuse } from '../../http/refusal.ts';
import { eventTask } from '../../platform/announce.ts';
import { transaction } from '../../platform/db.ts';
import { addJob, type Task } from '../../platform/jobs.ts';
import type { Project } from '../projects/index.ts';
import { selectEvent } from './delivery-store.ts';

/** A Svix server that the operator runs or rents: it keeps endpoints, delivers, and repeats. */
export interface SvixServer {
  readonly url: string;
  readonly apiKey: string;
}

type BridgeDeps = Pick<Deps, 'db' | 'fetch' | 'log' | 'projects'>;

const eventReference = z.object({
  projectId: z.string(),
  id: z.string(),
  /** How often Svix has asked for patience. */
  patience: z.number().default(0),
});

const portalAccess = z.object({ token: z.string() });
const retrySeconds = '5';

/** A token for the app portal of a project, whose application is made when there is none. */
export async function portalToken(project: Project, server: SvixServer, deps: BridgeDeps): Promise<string> {
  try {
    await makeApplication(project, server, deps);
    const response = await post(server, `/api/v1/auth/app-portal-access/${project.id}`, {}, deps);
    if (!response.ok) throw new Error(`Svix answers ${response.status}`);
    return portalAccess.parse(await response.json()).token;
  } catch (error) {
    deps.log.error({ error, projectId: project.id }, 'the Svix server gave no token');
    refuse(503, 'The webhook service cannot be reached right now.', { 'retry-after': retrySeconds });
  }
}

/**
 * Hands an event to the Svix server, under its own id: what was taken already is not taken twice. When Svix asks for
 * patience, it is asked again a few times, later and later; everything else that goes wrong is left to the queue.
 */
export function svixHandOver(server: SvixServer, deps: BridgeDeps): Task {
  return async payload => {
    const { projectId, id, patience } = eventReference.parse(payload);
    const [event, loaded] = await Promise.all([selectEvent(deps.db, projectId, id), deps.projects.find(projectId)]);
    if (event === undefined || loaded === undefined) return;
    const body = {
      eventType: event.type,
      eventId: id,
      payload: { type: event.type, data: JSON.parse(event.data) },
    };
    const response = await postMessage(loaded.project, body, server, deps);
    if (response.ok || response.status === 409) return;
    if (response.status !== 429 || patience >= svixRateLimitRetries) {
      throw new Error(`Svix answers ${response.status} to an event`);
    }
    const delayMs = patienceMs(response, patience);
    await transaction(deps.db, tx => addJob(tx, eventTask, { projectId, id, patience: patience + 1 }, { delayMs }));
  };
}

/** Most applications are there already, so the message comes first. */
async function postMessage(project: Project, body: object, server: SvixServer, deps: BridgeDeps): Promise<Response> {
  const path = `/api/v1/app/${project.id}/msg`;
  const response = await post(server, path, body, deps);
  if (response.status !== 404) return response;
  await makeApplication(project, server, deps);
  return post(server, path, body, deps);
}

async function makeApplication({ id, displayName }: Project, server: SvixServer, deps: BridgeDeps): Promise<void> {
  const response = await post(server, '/api/v1/app?get_if_exists=true', { name: displayName || id, uid: id }, deps);
  if (!response.ok) throw new Error(`Svix answers ${response.status} to an application`);
}

function post({ url, apiKey }: SvixServer, path: string, body: object, { fetch }: BridgeDeps): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(outboundTimeoutMs),
  });
}

/** What Svix says itself, or twice as long each time. */
function patienceMs(response: Response, patience: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : svixRetryDelayMs * 2 ** patience;
}
