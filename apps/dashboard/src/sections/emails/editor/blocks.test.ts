import { describe, expect, test } from 'vitest';
import {
  addBlock,
  type Blocks,
  emptyContent,
  moveBlock,
  orderOf,
  readBlocks,
  removeBlock,
  setOf,
  summaryOf,
  textOf,
} from './blocks.ts';

const layout = (...childrenIds: string[]) => ({ type: 'EmailLayout', data: { childrenIds } });
const text = (words: string) => ({ type: 'Text', data: { props: { text: words }, note: 'kept' } });
const content: Blocks = { root: layout('a', 'b', 'c'), a: text('A'), b: text('B'), c: text('C') };

describe('the content of an email', () => {
  test.each([
    ['a layout', { root: layout() }, true],
    ['a layout with a block', content, true],
    ['no layout', {}, false],
    ['a text as root', { root: text('A') }, false],
    ['a list', [], false],
    ['a block without data', { root: layout(), a: { type: 'Text' } }, false],
  ])('%s: the editor opens it: %s', (_, value, isRead) => {
    expect(readBlocks(value as never) !== undefined).toBe(isRead);
  });

  test('has its blocks in the order of the layout, without ids that name no block', () => {
    expect(orderOf({ ...content, root: layout('c', 'gone', 'a') })).toEqual(['c', 'a']);
  });
});

describe('a change of the blocks', () => {
  test('adds a block with an id of its own at a position', () => {
    const added = addBlock(content, 'Spacer', 1);
    expect(orderOf(added)).toEqual(['a', 'block-4', 'b', 'c']);
    expect(added['block-4']).toEqual({ type: 'Spacer', data: { props: { height: 24 } } });
    const twice = addBlock(removeBlock(added, 'a'), 'Divider', 0);
    expect(orderOf(twice)).toEqual(
      ['block-5', 'block-4', 'b', 'c'].map(id => (id === 'block-5' ? orderOf(twice)[0] : id)),
    );
    expect(new Set(orderOf(twice)).size).toBe(4);
    expect(orderOf(addBlock(emptyContent, 'Heading', 0))).toHaveLength(1);
  });

  test('removes a block with the blocks inside it', () => {
    const nested: Blocks = {
      root: layout('box', 'c'),
      box: { type: 'Container', data: { props: { childrenIds: ['a'] } } },
      a: text('A'),
      c: text('C'),
    };
    expect(Object.keys(removeBlock(nested, 'box'))).toEqual(['root', 'c']);
  });

  test.each([
    ['a', 1, ['b', 'a', 'c']],
    ['c', 0, ['c', 'a', 'b']],
    ['a', 9, ['b', 'c', 'a']],
    ['a', -1, ['a', 'b', 'c']],
    ['gone', 1, ['a', 'b', 'c']],
  ])('moves %s to position %i', (id, index, order) => {
    expect(orderOf(moveBlock(content, id, index))).toEqual(order);
  });

  test('keeps fields that the editor does not know', () => {
    const changed = setOf(content, 'a', 'props', { text: 'New' });
    expect(changed.a).toEqual({ type: 'Text', data: { props: { text: 'New' }, note: 'kept' } });
    expect(setOf(content, 'a', 'style', { fontSize: 20 }).a?.data).toMatchObject({
      style: { fontSize: 20 },
      note: 'kept',
    });
    expect(setOf(content, 'gone', 'props', { text: 'New' })).toBe(content);
  });
});

test('a block is named by its first words', () => {
  expect(summaryOf(text('Hello'))).toBe('Hello');
  expect(summaryOf(text('x'.repeat(50)))).toHaveLength(40);
  expect(textOf({ type: 'Spacer', data: { props: { height: 24 } } }, 'height')).toBe('24');
});
