import { exportsAtOnceMax } from '@tessera/protocol';
import { refuse } from '../refusal.ts';

/** Passes on the items of an export while it has one of the places of its project. */
export type InExportPlace = (items: AsyncIterable<unknown>, projectId: string) => AsyncIterable<unknown>;

/**
 * An export is generated as fast as its client reads. A hundred at once would leave the other requests of the process little
 * time between two of their parts, and would take all connections to the database. A further one is refused before its first
 * item: an export may take hours, so it does not wait.
 */
export function createExportPlaces(): InExportPlace {
  const taken = new Map<string, number>();

  function release(projectId: string): void {
    const left = (taken.get(projectId) ?? 1) - 1;
    if (left > 0) taken.set(projectId, left);
    else taken.delete(projectId);
  }

  return async function* inExportPlace(items, projectId) {
    const count = taken.get(projectId) ?? 0;
    if (count >= exportsAtOnceMax) {
      refuse(429, 'Too many exports of this project run at once.', { headers: { 'retry-after': '5' } });
    }
    taken.set(projectId, count + 1);
    try {
      yield* items;
    } finally {
      release(projectId);
    }
  };
}
