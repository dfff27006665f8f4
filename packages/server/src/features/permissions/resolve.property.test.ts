import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPermissionGraph, expandPermissions, permissionsHolding } from './resolve.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', '$read_members'];
const anyId = fc.constantFrom(...ids, 'gone', '$gone');

/** Any definition can contain any id, itself and undefined ids included. */
const definitions = fc
  .dictionary(fc.constantFrom(...ids), fc.array(anyId, { maxLength: 4 }))
  .map((edges): ReadonlyMap<string, readonly string[]> => new Map(Object.entries(edges)));

/** The definition of the contract: adds contained permissions until none is added. */
function naiveClosure(direct: readonly string[], contained: ReadonlyMap<string, readonly string[]>): string[] {
  let held = direct.filter(id => contained.has(id));
  for (;;) {
    const more = held.flatMap(id => contained.get(id) ?? []).filter(id => contained.has(id) && !held.includes(id));
    if (more.length === 0) return [...new Set(held)].sort();
    held = [...held, ...more];
  }
}

test('the held permissions are the closure of any definitions, each id once', () => {
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 5 }), definitions, (direct, contained) => {
      expect([...expandPermissions(direct, createPermissionGraph(contained))].sort()).toEqual(
        naiveClosure(direct, contained),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('a larger set of direct permissions never holds less', () => {
  fc.assert(
    fc.property(fc.array(anyId), fc.array(anyId), definitions, (some, others, contained) => {
      const graph = createPermissionGraph(contained);
      const all = expandPermissions([...some, ...others], graph);
      for (const id of expandPermissions(some, graph)) expect(all.has(id)).toBe(true);
    }),
  );
});

test('the permissions that hold a permission are those whose closure contains it', () => {
  fc.assert(
    fc.property(anyId, definitions, (id, contained) => {
      const holding = [...contained.keys()].filter(one => naiveClosure([one], contained).includes(id));
      expect([...permissionsHolding(id, createPermissionGraph(contained))].sort()).toEqual(holding.sort());
    }),
    { numRuns: 1_000 },
  );
});

test('a cyclic chain of 1,000 definitions is walked once', () => {
  const chain = new Map(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, [`p${(index + 1) % 1_000}`]]));
  expect(expandPermissions(['p500'], createPermissionGraph(chain)).size).toBe(1_000);
});

test('1,000 definitions that all contain each other hold 1,000 permissions', () => {
  const all = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  const dense = new Map(all.map(id => [id, all]));
  expect(expandPermissions(['p0'], createPermissionGraph(dense)).size).toBe(1_000);
});
