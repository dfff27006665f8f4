import { setImmediate } from 'node:timers/promises';
import type { Answer, ProjectRole, projectAdminEndpoints } from '@tessera/protocol';
import { unreachable } from '../../http/refusal.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../../platform/rate-limits/concurrency-limiter.ts';
import { toAdminProject } from './settings/wire.ts';
import { selectProjectRecords } from './store.ts';

type AdminProject = Answer<typeof projectAdminEndpoints.read>;

/** The settings of one project can have 200 KB, those of most have less than 2 KB. */
export const projectsPerQuery = 10;

/** The turns of the lists of each person. A list that has begun must not be refused, so any number waits. */
export function createPersonTurns(): ConcurrencyLimiter {
  return createConcurrencyLimiter({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY });
}

/**
 * The projects of a person in the order of `roles`. The list has no pages, and reading, decrypting and writing large settings
 * takes milliseconds for each project: other requests run after each one, and concurrent lists of a person take turns.
 */
export async function* ownedProjects(
  { userId, roles }: { readonly userId: string; readonly roles: ReadonlyMap<string, ProjectRole> },
  secretsFor: (role: ProjectRole) => Secrets | null,
  { db, turns }: { readonly db: Queryable; readonly turns: ConcurrencyLimiter },
): AsyncGenerator<AdminProject> {
  const entries = [...roles];
  for (let start = 0; start < entries.length; start += projectsPerQuery) {
    const part = entries.slice(start, start + projectsPerQuery);
    const records = await inTurn(turns, userId, () =>
      selectProjectRecords(
        db,
        part.map(([id]) => id),
      ),
    );
    const found = new Map(records.map(one => [one.id, one]));
    for (const [id, role] of part) {
      const project = found.get(id);
      if (project === undefined) continue;
      yield await inTurn(turns, userId, async () => {
        await setImmediate();
        return toAdminProject(project, secretsFor(role));
      });
    }
  }
}

async function inTurn<T>(turns: ConcurrencyLimiter, userId: string, work: () => Promise<T>): Promise<T> {
  const taken = await turns.take(userId, work);
  return taken === undefined ? unreachable('any number waits') : taken.value;
}
