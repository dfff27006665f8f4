import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Contained, expandPermissions } from './resolve.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', '$read_members'];
const anyId = fc.constantFrom(...ids, 'gone', '$gone');

/** Some of the ids are defined; anything may contain anything, itself and what is not defined too. */
const definitions = fc
  .dictionary(fc.constantFrom(...ids), fc.array(anyId, { maxLength: 4 }))
  .map((edges): Contained => new Map(Object.entries(edges)));

/** By the words of the contract: add what is contained until nothing is added any more. */
function naiveClosure(direct: readonly string[], contained: Contained): string[] {
  let held = direct.filter(id => contained.has(id));
  for (;;) {
    const more = held.flatMap(id => contained.get(id) ?? []).filter(id => contained.has(id) && !held.includes(id));
    if (more.length === 0) return [...new Set(held)].sort();
    held = [...held, ...more];
  }
}

test('whatever contains whatever, what is held is the closure, and each id once', () => {
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 5 }), definitions, (direct, contained) => {
      expect([...expandPermissions(direct, contained)].sort()).toEqual(naiveClosure(direct, contained));
    }),
    { numRuns: 1_000 },
  );
});

test('more permissions never hold less', () => {
  fc.assert(
    fc.property(fc.array(anyId), fc.array(anyId), definitions, (some, others, contained) => {
      const all = expandPermissions([...some, ...others], contained);
      for (const id of expandPermissions(some, contained)) expect(all.has(id)).toBe(true);
    }),
  );
});

test('a chain of 1,000 definitions that ends where it began is walked once', () => {
  const chain = new Map(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, [`p${(index + 1) % 1_000}`]]));
  expect(expandPermissions(['p500'], chain).size).toBe(1_000);
});

test('1,000 definitions that all contain each other are a thousand permissions', () => {
  const all = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  const dense = new Map(all.map(id => [id, all]));
  expect(expandPermissions(['p0'], dense).size).toBe(1_000);
});
