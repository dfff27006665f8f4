import { apiPath } from '@tessera/protocol/limits';
import type { Context } from '../../app/context.ts';
import { loadErrors } from '../../errors/known-errors.ts';
import { jsonOf } from '../../transport/answer.ts';
import { addressOf } from '../../transport/call.ts';
import { outcomeOf } from '../../transport/failed-response.ts';
import { isNetworkFailure, networkError } from '../../transport/network-error.ts';
import { failureOf } from '../../transport/response-failure.ts';
import { type Attempt, withRetries } from '../../transport/retry.ts';

/** The parts of a request to a route below the application of the project. */
interface Parts {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
}

/** Calls a route of the Svix API below the application, e.g. `call('GET /endpoint')`. */
export type SvixCall = <Answer>(route: string, parts?: Parts) => Promise<Answer>;

/** The address of the Svix API and a token for it. */
interface Portal {
  readonly applicationUrl: string;
  readonly token: string;
}

/**
 * Creates calls to the Svix API of the project: that of the server, or the Svix server that it uses. The keys of the
 * project are not sent there.
 */
export function createSvixCall({ call, config, platform }: Context<'admin'>): SvixCall {
  let portal: Promise<Portal> | undefined;

  async function openPortal(): Promise<Portal> {
    const [{ token }, settings] = await Promise.all([
      call('POST /webhooks/svix-token', { body: {}, session: null }),
      call('GET /internal/extensions/webhooks', { session: null }),
    ]);
    const serverUrl = settings.server_url.replace(/\/$/, '');
    return { token, applicationUrl: `${serverUrl}${apiPath}/app/${encodeURIComponent(config.projectId)}` };
  }

  async function send(route: string, { params, query, body }: Parts, { applicationUrl, token }: Portal) {
    const { method, path } = addressOf(route, params, query);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };

    async function attempt(): Promise<Attempt<Response>> {
      try {
        const response = await platform.fetch(applicationUrl + path, init);
        if (response.status !== 429 && response.status !== 503) return { done: response };
        return await outcomeOf(response, platform.now(), { isRepeatable: method === 'GET' });
      } catch (failure) {
        if (method !== 'GET' || !isNetworkFailure(failure)) throw failure;
        return { failure };
      }
    }

    const giveUp = (failures: readonly unknown[]) => networkError(failures, config, platform);
    return withRetries(attempt, { platform, budgetMs: config.retryBudgetMs, giveUp });
  }

  async function request<Answer>(route: string, parts: Parts): Promise<Answer> {
    const known = portal;
    portal ??= openPortal();
    let response = await send(route, parts, await keepPortal(portal));
    if (response.status === 401 && known !== undefined) {
      // The token lives for a day, and ends with the key or the session that it was requested with.
      portal = openPortal();
      response = await send(route, parts, await keepPortal(portal));
    }
    if (!response.ok) throw await refusalOf(response);
    // The types of the callers state what the route answers; the SDK carries no schemas.
    return (response.status === 204 ? undefined : await jsonOf(response)) as Answer;
  }

  /** A portal that could not be opened is opened again at the next call. */
  async function keepPortal(opening: Promise<Portal>): Promise<Portal> {
    try {
      return await opening;
    } catch (error) {
      if (portal === opening) portal = undefined;
      throw error;
    }
  }

  return async <Answer>(route: string, parts: Parts = {}): Promise<Answer> => {
    try {
      return await request<Answer>(route, parts);
    } catch (failure) {
      throw isNetworkFailure(failure) ? await networkError([failure], config, platform) : failure;
    }
  };
}

interface Violation {
  readonly msg?: unknown;
}

/** The errors of Svix are `{ code, detail }`. `detail` is a sentence or a list of violations. */
async function refusalOf(response: Response): Promise<Error> {
  const { code, detail }: { code?: unknown; detail?: unknown } = Object(await jsonOf(response));
  const sentence = sentenceOf(detail);
  if (code === 'reauthentication_required') {
    const { KnownError } = await loadErrors();
    return KnownError.fromJson({ code: 'REAUTHENTICATION_REQUIRED', message: sentence });
  }
  return failureOf(response, { status: response.status, sentence });
}

/** Undefined for the body of a proxy, which has no `detail`. */
function sentenceOf(detail: unknown): string | undefined {
  if (Array.isArray(detail)) return detail.map((violation: Violation) => violation.msg).join(' ');
  return typeof detail === 'string' ? detail : undefined;
}
