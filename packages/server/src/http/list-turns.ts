import { type Endpoint, isAtLeast, type Route } from '@tessera/protocol';
import type { Call } from '../core/call.ts';
import { createConcurrencyLimiter } from '../platform/rate-limits/concurrency-limiter.ts';
import { refuse } from './refusal.ts';

/** Fewer than the connections that a process has for requests (`TESSERA_DATABASE_POOL`, ten by default). */
const atOnce = 3;
const maxWaiting = 300;

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
};

/** Runs the work of a request, perhaps after others of its project. */
export type RunInTurn = <T>(endpoint: Endpoint, call: Call, work: () => Promise<T>) => Promise<T>;

/**
 * The servers of a project read at most three long lists at once in a process; the others wait. Each takes a connection
 * and the process for up to a second, and twenty at once would take all connections from other projects.
 * Control 102.
 */
export function createListTurns(): RunInTurn {
  const turns = createConcurrencyLimiter({ atOnce, maxWaiting });
  return async ({ method, path }, { level, project, targetUserId }, work) => {
    const turn = longLists[`${method} ${path}` as Route];
    const isLong = turn === 'always' || (turn === 'without user' && targetUserId === undefined);
    if (!isLong || project === null || level === null || !isAtLeast(level, 'server')) return work();
    const taken = await turns.take(project.id, work);
    if (taken !== undefined) return taken.value;
    return refuse(429, 'Too many lists of this project are read at once.', { headers: { 'retry-after': '1' } });
  };
}
