import { expect, test } from 'vitest';
import { type GraphNode, idsThatContain, type OutlineRow, outlineOf } from './graph.ts';

/** `a>bc` is the permission `a`, which contains `b` and `c`. */
function graphOf(...texts: readonly string[]): GraphNode[] {
  return texts.map(text => {
    const [id = '', contained = ''] = text.split('>');
    return { id, containedPermissionIds: [...contained] };
  });
}

function textOf({ node, isInCycle, isRepeated, children }: OutlineRow<GraphNode>): string {
  const marks = `${isInCycle ? '*' : ''}${isRepeated ? '^' : ''}`;
  return `${node.id}${marks}${children.length > 0 ? `(${children.map(textOf).join(' ')})` : ''}`;
}

test.each([
  ['no permission', [], ''],
  ['single permissions', ['a', 'b'], 'a b'],
  ['a chain', ['a>b', 'b>c', 'c'], 'a(b(c))'],
  ['a permission in two others, expanded once', ['a>c', 'b>c', 'c>d', 'd'], 'a(c(d)) b(c^)'],
  ['a repeated leaf', ['a>c', 'b>c', 'c'], 'a(c) b(c^)'],
  ['a contained id that is not defined', ['a>x'], 'a'],
  ['a permission that contains itself', ['a>a'], 'a*(a*^)'],
  ['a cycle below a root', ['a>b', 'b>c', 'c>b'], 'a(b*(c*(b*^)))'],
  ['a cycle without a root', ['a', 'b>c', 'c>b'], 'a b*(c*(b*^))'],
])('the outline of %s is complete and ends', (_, graph, expected) => {
  expect(
    outlineOf(graphOf(...graph))
      .map(textOf)
      .join(' '),
  ).toBe(expected);
});

test.each([
  ['a', []],
  ['c', ['a', 'b']],
  ['d', ['a', 'b', 'c']],
  ['e', ['e', 'f']],
  ['x', []],
])('the permissions that contain %s are %j', (id, expected) => {
  const graph = graphOf('a>b', 'b>c', 'c>d', 'd', 'e>f', 'f>e');
  expect([...idsThatContain(id, graph)].sort()).toEqual(expected);
});
