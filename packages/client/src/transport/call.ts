import type { AccessLevel, Args, Reply, Route, Routes } from '@tessera/protocol';
import type { Session } from '../session/session.ts';
import { jsonOf } from './answer.ts';
import type { Send } from './send.ts';

/** The session of the request; null for a request without a user. */
interface For {
  readonly session: Session | null;
}

/**
 * Calls an endpoint by its route, e.g. `call('PATCH /users/me', { body, session })`.
 *
 * @throws KnownError, or RequestError when there was no usable answer.
 */
export type Call<L extends AccessLevel> = <R extends Route>(
  route: R,
  args: Args<Routes[R], L> & For,
) => Promise<Reply<Routes[R], L>>;

/** What the declared parts of any endpoint look like from here. */
interface Parts extends For {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

export function createCall<L extends AccessLevel>(send: Send, level: L): Call<L> {
  return async (route, args) => {
    const { params, query, body, session }: Parts = args;
    const { method, path } = addressOf(route, params, query);
    const answer = await send({ path, init: { method, ...bodyOf(body) }, level, session }, readBody);
    // The server checks its responses against the schema of the route; the SDK carries no schemas.
    return answer as never;
  };
}

function readBody(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? jsonOf(response) : response.text();
}

/**
 * The address of a route with its parameters, encoded. An empty parameter and one of dots would be the address of another
 * route, so each gets a blank, with which it is the id of no object.
 */
export function addressOf(route: string, params?: unknown, query?: unknown): { method: string; path: string } {
  const [method = '', template = ''] = route.split(' ');
  const given = new Map(Object.entries<unknown>(Object(params ?? {})));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.get(name)).replace(/^\.{0,2}$/, ' $&')),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>(Object(query ?? {}))) {
    if (value !== undefined) search.set(name, String(value));
  }
  return { method, path: search.size > 0 ? `${path}?${search}` : path };
}

function bodyOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
