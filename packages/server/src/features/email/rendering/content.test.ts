import type { Json } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import { mailContentOf } from './content.ts';

const content = (type: string, data: Json) => ({ block: { type, data } }) as const;

describe('accepted template contents', () => {
  test.each<[string, Json]>([
    ['nothing', {}],
    ['an empty list', []],
    ['a number', 7],
    ['an empty text', ''],
    ['a layout without children', content('EmailLayout', {})],
    ['nulls', content('EmailLayout', { backdropColor: null, fontFamily: null, childrenIds: null })],
    ['a layout', content('EmailLayout', { canvasColor: '#FFFFFF', fontFamily: 'MONOSPACE', childrenIds: ['a', 'b'] })],
    ['keys of others', { block: { type: 'Text', data: { props: { text: 'a', more: 1 }, x: [] }, y: true } }],
    ['a container', content('Container', { style: { borderRadius: -4.5, padding: { top: 1e9 } }, props: null })],
    [
      'columns',
      content('ColumnsContainer', {
        props: {
          columns: [{ childrenIds: [] }, {}, { childrenIds: ['a'] }],
          columnsCount: 3,
          columnsGap: 4,
          contentAlignment: 'top',
          fixedWidths: [1, null, 3],
        },
      }),
    ],
    ['no widths', content('ColumnsContainer', { props: { fixedWidths: null } })],
    ['a heading', content('Heading', { props: { text: 'a', level: 'h3' }, style: { textAlign: 'right' } })],
    ['a text', content('Text', { props: { text: null }, style: { fontSize: 0, fontWeight: 'bold' } })],
    ['a button', content('Button', { props: { size: 'x-small', buttonStyle: 'pill', fullWidth: true, url: 'x' } })],
    ['an image', content('Image', { props: { width: -1, height: 99_999, contentAlignment: 'middle' } })],
    ['a divider', content('Divider', { props: { lineColor: '#abcdef', lineHeight: 2 } })],
    ['a spacer', content('Spacer', { props: { height: 0 } })],
    ['no block called root', content('Spacer', {})],
    ['a root that nothing leads from', { root: { type: 'Spacer', data: {} }, lost: { type: 'Divider', data: {} } }],
  ])('%s', (_, value) => {
    expect(mailContentOf(value)).toBeDefined();
  });
});

describe('refused template contents', () => {
  test.each<[string, Json]>([
    ['null', null],
    ['a text', 'text'],
    ['a list', [1]],
    ['a list of blocks', [{ type: 'Spacer', data: {} }]],
    ['a number as a block', { root: 1 }],
    ['a block of another type', content('Html', {})],
    ['a block without data', { root: { type: 'Text' } }],
    ['a short color', content('EmailLayout', { textColor: '#fff' })],
    ['a color by name', content('EmailLayout', { textColor: 'red' })],
    ['a color with a second declaration', content('Divider', { props: { lineColor: '#123456;x:y' } })],
    ['an unknown font', content('Heading', { style: { fontFamily: 'Arial' } })],
    ['two columns', content('ColumnsContainer', { props: { columns: [{}, {}] } })],
    ['four columns', content('ColumnsContainer', { props: { columnsCount: 4 } })],
    ['a negative size', content('Text', { style: { fontSize: -1 } })],
    ['a negative height', content('Spacer', { props: { height: -1 } })],
    ['a number as text', content('Text', { props: { text: 1 } })],
    ['an unknown level', content('Heading', { props: { level: 'h4' } })],
    ['numbers as ids of blocks', content('Container', { props: { childrenIds: [1] } })],
    ['one wrong block of two', { root: { type: 'Spacer', data: {} }, other: { type: 'x', data: {} } }],
  ])('%s', (_, value) => {
    expect(mailContentOf(value)).toBeUndefined();
  });
});

test('control 81: a block may have the id __proto__', () => {
  const value: Json = JSON.parse('{"__proto__":{"type":"Spacer","data":{"polluted":true}}}');
  const parsed = mailContentOf(value) ?? {};
  expect(Object.getOwnPropertyNames(parsed)).toEqual(['__proto__']);
  expect('polluted' in {}).toBe(false);
  expect(mailContentOf(JSON.parse('{"__proto__":1}'))).toBeUndefined();
});
