import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { batchLoad } from './batch-load.ts';

/** A query that the test completes. */
function slow() {
  const asked: { keys: readonly string[]; answer(values: readonly string[]): void; fail(error: Error): void }[] = [];
  const load = (keys: readonly string[]) =>
    new Promise<readonly string[]>((answer, fail) => asked.push({ keys, answer, fail }));
  /** The nth query that was sent. */
  async function query(nth: number) {
    for (;;) {
      const one = asked[nth - 1];
      if (one !== undefined) return one;
      await turn();
    }
  }
  return { asked, load, query };
}

const upper = async (keys: readonly string[]) => keys.map(key => key.toUpperCase());

describe('concurrent loads of different keys', () => {
  test('in one turn of the event loop share one query, and each caller gets its own value', async () => {
    const queries: (readonly string[])[] = [];
    const find = batchLoad(async (keys: readonly string[]) => {
      queries.push(keys);
      return upper(keys);
    });
    expect(await Promise.all(['a', 'b', 'a'].map(find))).toEqual(['A', 'B', 'A']);
    expect(await find('c')).toBe('C');
    expect(queries).toEqual([['a', 'b', 'a'], ['c']]);
  });

  test('never share a query that was sent before the call', async () => {
    const { asked, load, query } = slow();
    const find = batchLoad(load, { maxQueries: 1, maxKeys: 100 });
    const first = find('a');
    const before = await query(1);
    const later = find('a');
    await turn();
    expect(asked.map(({ keys }) => keys)).toEqual([['a']]);
    before.answer(['before']);
    expect(await first).toBe('before');
    (await query(2)).answer(['after']);
    expect(await later).toBe('after');
  });

  test('continue when one of the running queries never completes', async () => {
    const { asked, load, query } = slow();
    const find = batchLoad(load, { maxQueries: 2, maxKeys: 100 });
    void find('stuck');
    await query(1);
    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      const found = find(key);
      (await query(index + 2)).answer([key]);
      expect(await found).toBe(key);
    }
    expect(asked.map(({ keys }) => keys)).toEqual([['stuck'], ['a'], ['b'], ['c']]);
  });

  test('are split into queries of at most the maximum size', async () => {
    const { load, query } = slow();
    const find = batchLoad(load, { maxQueries: 2, maxKeys: 2 });
    const found = Promise.all(['a', 'b', 'c', 'd', 'e'].map(find));
    const [first, second] = [await query(1), await query(2)];
    expect([first.keys, second.keys]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    second.answer(['C', 'D']);
    first.answer(['A', 'B']);
    (await query(3)).answer(['E']);
    expect(await found).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  test('that are enough for a query start it within the turn, while fewer queries run than may', async () => {
    const { asked, load, query } = slow();
    const find = batchLoad(load, { maxQueries: 2, maxKeys: 100, enoughKeys: 2 });
    const found = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(find));
    expect(asked.map(({ keys }) => keys)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    await turn();
    expect(asked).toHaveLength(2);
    asked[0]?.answer(['A', 'B']);
    expect((await query(3)).keys).toEqual(['e', 'f', 'g']);
    asked[1]?.answer(['C', 'D']);
    asked[2]?.answer(['E', 'F', 'G']);
    expect(await found).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
    const last = find('h');
    (await query(4)).answer(['H']);
    expect(await last).toBe('H');
  });

  test('all fail when their query fails, and the next calls send a new query', async () => {
    const { load, query } = slow();
    const find = batchLoad(load);
    const both = Promise.allSettled(['a', 'b'].map(find));
    (await query(1)).fail(new Error('away'));
    expect(await both).toEqual([
      { status: 'rejected', reason: new Error('away') },
      { status: 'rejected', reason: new Error('away') },
    ]);
    const next = find('c');
    (await query(2)).answer(['C']);
    expect(await next).toBe('C');
  });

  test('fail when a value is missing in the result', async () => {
    const find = batchLoad(async () => ['only one']);
    await expect(Promise.all(['a', 'b'].map(find))).rejects.toThrow('1 values for 2 keys');
  });
});
