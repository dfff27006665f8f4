import { endedSessionStreamsMax, endedSessionStreamsOfProcessMax } from '@tessera/protocol';
import { placeToFree } from './rules.ts';

/** The place of an open stream in this process. */
export interface StreamPlace {
  readonly projectId: string;
  /** Ends the stream, whose place another one takes. */
  end(): void;
}

export interface StreamPlaces {
  /** @returns false when the project has as many streams as it may have, or as its share of a full process */
  take(place: StreamPlace): Promise<boolean>;
  release(place: StreamPlace): void;
}

interface StreamPlacesOptions {
  /** The owner of each of these projects that has one. Read only while the process is full. */
  readonly findOwners: (projectIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly maxPlaces?: number;
}

/**
 * Bounds the streams of a process. When the process is full, a new stream replaces one of an owner who has more streams
 * than the owner of the new one: an owner with many projects cannot take the places of the others.
 */
export function createStreamPlaces({
  findOwners,
  maxPlaces = endedSessionStreamsOfProcessMax,
}: StreamPlacesOptions): StreamPlaces {
  const taken = new Set<StreamPlace>();
  const isProjectFull = (projectId: string) =>
    [...taken].filter(place => place.projectId === projectId).length >= endedSessionStreamsMax;

  const readOwners = (projectId: string) =>
    findOwners([...new Set([projectId, ...[...taken].map(place => place.projectId)])]);

  return {
    async take(place) {
      const { projectId } = place;
      if (isProjectFull(projectId)) return false;
      const owners = taken.size < maxPlaces ? undefined : await readOwners(projectId);
      // The owners took time to read, in which other streams came and went.
      if (isProjectFull(projectId)) return false;
      if (taken.size >= maxPlaces) {
        const freed = placeToFree([...taken], projectId, id => owners?.get(id) ?? id);
        if (freed === undefined) return false;
        taken.delete(freed);
        freed.end();
      }
      taken.add(place);
      return true;
    },
    release: place => void taken.delete(place),
  };
}
