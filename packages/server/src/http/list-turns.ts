import { setImmediate } from 'node:timers/promises';
import { type Endpoint, isAtLeast, type Route } from '@tessera/protocol';
import type { Call } from '../core/call.ts';
import type { HttpRequest } from '../core/http-request.ts';
import { dropOldest } from '../platform/drop-oldest.ts';
import { createConcurrencyLimiter } from '../platform/rate-limits/concurrency-limiter.ts';
import { refuse } from './refusal.ts';
import type { Draft } from './response/respond.ts';

/** Lists of a project that wait in a process. */
const maxWaiting = 300;

/** The JSON of a list that is longer keeps the process busy, and its garbage collector, for more than a moment. */
const heavyMinLength = 1024 * 1024;
const heavyListsRemembered = 1_000;

/** Whether a list of a server takes a turn always, or only when it names no user: checks of permissions are frequent. */
const longLists: Partial<Record<Route, 'always' | 'without user'>> = {
  'GET /users': 'always',
  'GET /teams': 'always',
  'GET /team-member-profiles': 'always',
  'GET /team-invitations': 'always',
  'GET /team-permission-definitions': 'always',
  'GET /project-permission-definitions': 'always',
  'GET /team-permissions': 'without user',
  'GET /project-permissions': 'without user',
  'GET /contact-channels': 'always',
  'GET /user-api-keys': 'always',
  'GET /team-api-keys': 'always',
  'GET /internal/extensions/users': 'always',
  'GET /internal/extensions/teams': 'always',
  'GET /internal/extensions/audit-log': 'always',
  'GET /internal/extensions/sent-emails': 'always',
  'GET /internal/extensions/metrics-history': 'always',
  'GET /internal/metrics': 'always',
  'POST /internal/extensions/messages/audience': 'always',
};

/** Runs the work of a request, perhaps after others of its project. `assertStillAllowed` is called after the wait. */
type RunInTurn = (
  call: Call,
  request: { readonly assertStillAllowed: () => Promise<void>; readonly work: () => Promise<Draft> },
) => Promise<Draft>;

/** The turns of an endpoint; undefined for one whose requests need none. */
export type ListTurns = (endpoint: Endpoint) => RunInTurn | undefined;

/** Runs a long read, perhaps after others with the same key. @throws a 429 when too many wait */
export type ReadTurns = <T>(key: string, read: () => Promise<T>) => Promise<T>;

interface ReadTurnsOptions {
  /** Reads of a key that run at the same time. */
  readonly atOnce: number;
  readonly maxWaiting: number;
  /** The sentence of the 429. */
  readonly refusal: string;
}

/** Turns of long reads, each of which keeps a connection and the process busy. */
export function createReadTurns({ atOnce, maxWaiting, refusal }: ReadTurnsOptions): ReadTurns {
  const turns = createConcurrencyLimiter({ atOnce, maxWaiting });
  return async (key, read) => {
    const taken = await turns.take(key, read);
    if (taken !== undefined) return taken.value;
    return refuse(429, refusal, { headers: { 'retry-after': '1' } });
  };
}

/**
 * The servers and admins of a project read long lists with half of the connections of a process; further lists wait. Each
 * takes a connection and the process for up to a second, and twenty at once would take all connections from other projects.
 * Control 102.
 *
 * @param databasePool the connections that the process has for requests
 * @returns the turns, whose keys are the ids of projects
 */
export function createProjectTurns(databasePool: number): ReadTurns {
  return createReadTurns({
    atOnce: Math.max(1, Math.floor(databasePool / 2)),
    maxWaiting,
    refusal,
  });
}

const refusal = 'Too many lists of this project are read at once.';

/**
 * The endpoints whose requests take turns, and when. Of a list whose last answer to the project was heavy, one is read at a
 * time: five lists of 17 MB at once double the memory of the process, and its garbage collector then stops all requests.
 */
export function createListTurns(inTurn: ReadTurns): ListTurns {
  const inHeavyTurn = createReadTurns({ atOnce: 1, maxWaiting, refusal });
  const heavy = new Set<string>();

  async function readAndWeigh(key: string, read: () => Promise<Draft>): Promise<Draft> {
    const draft = await read();
    heavy.delete(key);
    if (typeof draft.body !== 'string' || draft.body.length < heavyMinLength) return draft;
    heavy.add(key);
    dropOldest(heavy, heavyListsRemembered);
    return draft;
  }

  return ({ method, path }) => {
    const kind = longLists[`${method} ${path}` as Route];
    if (kind === undefined) return undefined;
    return async ({ level, project, targetUserId, request }, { assertStillAllowed, work }) => {
      const isLong = kind === 'always' || targetUserId === undefined;
      if (!isLong || project === null || level === null || !isAtLeast(level, 'server')) return work();
      const key = `${project.id} ${method} ${path}`;
      const read = () =>
        inTurn(project.id, async () => {
          // Clients that close the connection at once and send the next request would keep the process busy with lists that
          // cannot be delivered.
          if (await clientHasLeft(request)) refuse(400, 'The client has closed the connection.');
          await assertStillAllowed();
          return readAndWeigh(key, work);
        });
      return heavy.has(key) ? inHeavyTurn(project.id, read) : read();
    };
  };
}

/**
 * Whether the client of a request has left. In a busy process the end of a connection waits to be read together with the
 * request, and is read one turn of the event loop later: the first callback runs before it, the second one after it.
 */
async function clientHasLeft(request: HttpRequest): Promise<boolean> {
  await setImmediate();
  await setImmediate();
  return request.hasLeft();
}
