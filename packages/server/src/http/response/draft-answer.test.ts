import { userEndpoints } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../platform/observability/log.ts';
import { draftAnswer } from './draft-answer.ts';

const request = {
  method: 'GET',
  url: 'http://localhost/api/v1/users',
  headers: new Headers(),
  readBody: async () => undefined,
  hasLeft: () => false,
};
const context = {
  level: 'server',
  request,
  guardExport: (items: AsyncIterable<unknown>) => items,
  deps: { log: createLog({ level: 'silent' }), isDevelopment: false },
} as const;

const draft = (body: unknown) => draftAnswer(userEndpoints.list, body, context);

describe('the JSON of a list', () => {
  test.each<[string, object]>([
    [
      'a page',
      { items: [{ a: 1.5e300, b: 'ü\u2028"\\', c: undefined }, { d: [null, undefined] }], pagination: { x: null } },
    ],
    ['a page of many items', { items: Array.from({ length: 30 }, (_, a) => ({ a })), pagination: { x: 'y' } }],
    ['an empty page', { items: [], is_paginated: false }],
    ['a list with nothing else', { items: [{}] }],
    ['a list whose items come later', { is_paginated: true, items: [{}] }],
    ['an answer whose items are no list', { items: 'one' }],
  ])('%s is that of JSON.stringify', async (_, body) => {
    expect((await draft(body)).body).toBe(JSON.stringify(body));
  });

  test('is written in many turns of the event loop where it is large', async () => {
    let turns = 0;
    let next: NodeJS.Immediate;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    await draft({ items: Array.from({ length: 40 }, () => ({ text: 'x'.repeat(300_000) })) });
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(39);
  });
});
