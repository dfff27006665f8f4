import { comparePermissionIds, listMaxBytes } from '@tessera/protocol';
import { ResultTooLarge } from '../../platform/database/database.ts';

/** The permissions of one scope, system permissions included. The place of a permission is its index in list order. */
export interface PermissionGraph {
  /** The ids of all permissions, in the order of lists. */
  readonly ids: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly contained: Edges;
  /** The contained edges reversed. */
  readonly containing: Edges;
}

/** Places by place. */
type Edges = readonly (readonly number[])[];

/** @param definitions the contained ids of each permission id; contained ids without a definition are skipped */
export function createPermissionGraph(definitions: ReadonlyMap<string, readonly string[]>): PermissionGraph {
  const ids = [...definitions.keys()].sort(comparePermissionIds);
  const places = new Map(ids.map((id, place) => [id, place]));
  const contained = ids.map(id => placesOf(definitions.get(id) ?? [], places));
  return { ids, places, contained, containing: reverse(contained) };
}

function reverse(edges: Edges): Edges {
  const reversed = edges.map((): number[] => []);
  for (const [from, places] of edges.entries()) for (const to of places) reversed[to]?.push(from);
  return reversed;
}

/** Undefined ids are skipped. */
function placesOf(ids: readonly string[], places: ReadonlyMap<string, number>): number[] {
  return ids.map(id => places.get(id)).filter(place => place !== undefined);
}

function idsAt(places: readonly number[], { ids }: PermissionGraph): string[] {
  return places.map(place => ids[place]).filter(id => id !== undefined);
}

/** The places that can be reached from some places, these included. Cycles end. */
function reach(places: readonly number[], edges: Edges): ReadonlySet<number> {
  const reached = new Set(places);
  // The loop visits the places that it adds.
  for (const place of reached) for (const next of edges[place] ?? []) reached.add(next);
  return reached;
}

/**
 * The permissions that a set of direct permissions holds: these and all permissions that they contain, at any depth.
 * Undefined ids are skipped, and cyclic definitions end
 * (docs/contract/permissions.md#definitions and #grants).
 */
export function expandPermissions(direct: readonly string[], graph: PermissionGraph): ReadonlySet<string> {
  return new Set(idsAt([...reach(placesOf(direct, graph.places), graph.contained)], graph));
}

/** The permissions that hold a permission: it and all that contain it, at any depth. An undefined id has none. */
export function permissionsHolding(permissionId: string, graph: PermissionGraph): ReadonlySet<string> {
  return new Set(idsAt([...reach(placesOf([permissionId], graph.places), graph.containing)], graph));
}

/** A permission of a user, in a team or in the project. */
export interface Grant {
  readonly teamId?: string;
  readonly userId: string;
  readonly permissionId: string;
}

export interface GrantListing {
  readonly isRecursive: boolean;
  /** Lists this permission only, after the expansion. */
  readonly permissionId: string | undefined;
}

/** Entries that are made while they are read: a user with many teams can hold a hundred thousand permissions. */
export interface GrantList<Entry> extends Iterable<Entry> {
  readonly size: number;
}

/**
 * The list entries of direct grants that are sorted by team and user (docs/contract/permissions.md#grants).
 *
 * @param toEntry makes the entry of a held permission from any grant of its holder
 * @throws ResultTooLarge for more entries than a list may have: each grant can hold a thousand permissions
 */
export function listGrants<G extends Grant, Entry>(
  grants: readonly G[],
  graph: PermissionGraph,
  listing: GrantListing,
  toEntry: (holder: G, permissionId: string) => Entry,
): GrantList<Entry> {
  const { isRecursive, permissionId } = listing;
  // Without edges, a permission holds itself only.
  const walked = isRecursive ? graph : { ...graph, contained: [], containing: [] };
  const list = once(permissionId === undefined ? listAll(walked) : listOnly(permissionId, walked));
  let bytesLeft = listMaxBytes;
  const held = groupByHolder(grants).map(([holder, direct]) => {
    const { ids, bytes } = list(direct);
    bytesLeft -= bytes;
    if (bytesLeft < 0) throw new ResultTooLarge('the permissions that grants hold are too many for a list');
    return [holder, ids] as const;
  });
  return {
    size: held.reduce((sum, [, ids]) => sum + ids.length, 0),
    *[Symbol.iterator]() {
      for (const [holder, ids] of held) for (const id of ids) yield toEntry(holder, id);
    },
  };
}

/** The JSON of an entry without the id of its permission: two UUIDs and the names of the fields. */
const bytesOfEntry = 110;

/** What direct permissions hold, and the bytes of its entries. Most holders have the same few direct permissions. */
function once(list: ListHeld): (direct: readonly string[]) => { ids: readonly string[]; bytes: number } {
  const known = new Map<string, { ids: readonly string[]; bytes: number }>();
  return direct => {
    const key = direct.join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const ids = list(direct);
    const held = { ids, bytes: ids.reduce((sum, id) => sum + bytesOfEntry + id.length, 0) };
    known.set(key, held);
    return held;
  };
}

/** Lists what direct permissions hold. */
type ListHeld = (direct: readonly string[]) => readonly string[];

function listAll(graph: PermissionGraph): ListHeld {
  return direct => {
    const held = [...reach(placesOf(direct, graph.places), graph.contained)];
    return idsAt(
      held.sort((one, other) => one - other),
      graph,
    );
  };
}

function listOnly(permissionId: string, graph: PermissionGraph): ListHeld {
  const holding = permissionsHolding(permissionId, graph);
  return direct => (direct.some(id => holding.has(id)) ? [permissionId] : []);
}

/** The direct permissions of each holder, with one of the grants. */
function groupByHolder<G extends Grant>(grants: readonly G[]): (readonly [holder: G, direct: string[]])[] {
  const holders = new Map<string, readonly [G, string[]]>();
  for (const grant of grants) {
    const key = `${grant.teamId} ${grant.userId}`;
    const known = holders.get(key);
    if (known === undefined) holders.set(key, [grant, [grant.permissionId]]);
    else known[1].push(grant.permissionId);
  }
  return [...holders.values()];
}
