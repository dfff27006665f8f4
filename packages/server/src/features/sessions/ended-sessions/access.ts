import { endedSessionEndpoints, isRoleAtLeast, type ProjectRole, roleOf } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { LoadedProject } from '../../../core/project.ts';
import type { Readiness } from '../../../platform/observability/readiness.ts';
import type { Projects } from '../../projects/index.ts';

/** Who reads a stream. */
export type Reader = Pick<
  Call<typeof endedSessionEndpoints.follow>,
  'project' | 'keySetId' | 'ownerId' | 'ownerSessionId'
>;

export interface PersonalAccess {
  readonly projectId: string;
  readonly ownerId: string;
  readonly ownerSessionId: string | undefined;
}

export interface ReaderAccessDeps {
  readonly projects: Projects;
  readonly readiness: Readiness;
  /** The present roles of persons, in their order; undefined when the session, ownership or membership has ended. */
  readonly findOwnerRoles: (accesses: readonly PersonalAccess[]) => Promise<readonly (ProjectRole | undefined)[]>;
}

/**
 * The readers that may continue: those of a deleted project, of a revoked key, of ended access and of a server that stops
 * may not. Many streams of one reader cost as much as one.
 */
export async function findAllowed<R extends Reader>(readers: readonly R[], deps: ReaderAccessDeps): Promise<Set<R>> {
  if (!deps.readiness.isReady()) return new Set();
  const distinct = new Map<string, Reader>(readers.map(reader => [keyOf(reader), reader]));
  const persons = [...distinct].flatMap(([key, reader]) => {
    const access = personalAccessOf(reader);
    return access === undefined ? [] : [{ key, access }];
  });
  const roles = persons.length === 0 ? [] : await deps.findOwnerRoles(persons.map(({ access }) => access));
  const roleByKey = new Map(persons.map(({ key }, index) => [key, roles[index]]));
  const isAllowed = new Map<string, boolean>();
  for (const [key, reader] of distinct) {
    const loaded = await deps.projects.find(reader.project.id);
    isAllowed.set(key, loaded !== undefined && mayRead(reader, { loaded, role: roleByKey.get(key) }, deps));
  }
  return new Set(readers.filter(reader => isAllowed.get(keyOf(reader)) === true));
}

function keyOf({ project, keySetId, ownerId, ownerSessionId }: Reader): string {
  return [project.id, keySetId, ownerId, ownerSessionId].join(' ');
}

function personalAccessOf({ project, ownerId, ownerSessionId }: Reader): PersonalAccess | undefined {
  return ownerId === undefined ? undefined : { projectId: project.id, ownerId, ownerSessionId };
}

function mayRead(
  { keySetId, ownerId }: Reader,
  { loaded, role }: { readonly loaded: LoadedProject; readonly role: ProjectRole | undefined },
  { projects }: ReaderAccessDeps,
): boolean {
  if (ownerId === undefined) return keySetId === undefined || projects.hasKeySet(loaded, keySetId);
  return role !== undefined && isRoleAtLeast(role, roleOf(endedSessionEndpoints.follow));
}
