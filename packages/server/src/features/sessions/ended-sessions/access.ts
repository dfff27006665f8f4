import { type Endpoint, isRoleAtLeast, type ProjectRole, roleOf } from '@tessera/protocol';
import type { Caller } from '../../../core/caller.ts';
import type { LoadedProject, Project } from '../../../core/project.ts';
import type { Projects } from '../../projects/index.ts';

/** Who reads a stream. */
export interface Reader extends Pick<Caller, 'keySetId' | 'ownerId' | 'ownerSessionId'> {
  readonly project: Project;
}

export interface PersonalAccess {
  readonly projectId: string;
  readonly ownerId: string;
  readonly ownerSessionId: string | undefined;
}

export interface ReaderAccessDeps {
  readonly projects: Projects;
  /** The present roles of persons, in their order; undefined when the session, ownership or membership has ended. */
  readonly findOwnerRoles: (accesses: readonly PersonalAccess[]) => Promise<readonly (ProjectRole | undefined)[]>;
}

/**
 * The readers that may continue with an endpoint: those of a deleted project, of a revoked key and of ended access may not.
 * Many streams of one reader cost as much as one.
 */
export async function findAllowed<R extends Reader>(
  readers: readonly R[],
  endpoint: Pick<Endpoint, 'role' | 'method'>,
  deps: ReaderAccessDeps,
): Promise<Set<R>> {
  const lowest = roleOf(endpoint);
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
    isAllowed.set(key, loaded !== undefined && mayRead(reader, { loaded, role: roleByKey.get(key), lowest }, deps));
  }
  return new Set(readers.filter(reader => isAllowed.get(keyOf(reader)) === true));
}

/** Whether the caller of a long answer still has access. */
export async function mayContinue(
  { project, ...caller }: Caller,
  endpoint: Pick<Endpoint, 'role' | 'method'>,
  deps: ReaderAccessDeps,
): Promise<boolean> {
  if (project === null) return true;
  return (await findAllowed([{ ...caller, project }], endpoint, deps)).size > 0;
}

function keyOf({ project, keySetId, ownerId, ownerSessionId }: Reader): string {
  return [project.id, keySetId, ownerId, ownerSessionId].join(' ');
}

function personalAccessOf({ project, ownerId, ownerSessionId }: Reader): PersonalAccess | undefined {
  return ownerId === undefined ? undefined : { projectId: project.id, ownerId, ownerSessionId };
}

function mayRead(
  { keySetId, ownerId }: Reader,
  {
    loaded,
    role,
    lowest,
  }: { readonly loaded: LoadedProject; readonly role: ProjectRole | undefined; readonly lowest: ProjectRole },
  { projects }: ReaderAccessDeps,
): boolean {
  if (ownerId === undefined) return keySetId === undefined || projects.hasKeySet(loaded, keySetId);
  return role !== undefined && isRoleAtLeast(role, lowest);
}
