import { exportsAtOnceMax } from '@tessera/protocol';
import { createPlaces } from '../places.ts';
import { refuse } from '../refusal.ts';

/** Passes on the items of an export while it has one of the places of its project. */
export type InExportPlace = (items: AsyncIterable<unknown>, projectId: string) => AsyncIterable<unknown>;

/**
 * An export is generated as fast as its client reads. A hundred at once would leave the other requests of the process little
 * time between two of their parts, and would take all connections to the database. A further one is refused before its first
 * item: an export may take hours, so it does not wait.
 */
export function createExportPlaces(): InExportPlace {
  const places = createPlaces(exportsAtOnceMax);

  return async function* inExportPlace(items, projectId) {
    const leave = places.take(projectId);
    if (leave === undefined) {
      refuse(429, 'Too many exports of this project run at once.', { headers: { 'retry-after': '5' } });
    }
    try {
      yield* items;
    } finally {
      leave();
    }
  };
}
