import { beforeEach, describe, expect, test } from 'vitest';
import { createMemo, type Memo } from './memo.ts';

let isReceiving: boolean;
let loads: { key: string; resolve(value: string): void; reject(error: Error): void }[];
let memo: Memo<string>;

beforeEach(() => {
  isReceiving = true;
  loads = [];
  memo = createMemo<string>({
    load: key => new Promise((resolve, reject) => loads.push({ key, resolve, reject })),
    maxEntries: 3,
    isReceiving: () => isReceiving,
  });
});

async function loaded(key: string, value: string): Promise<void> {
  const promise = memo.get(key);
  loads.at(-1)?.resolve(value);
  await promise;
}

describe('while every notification arrives', () => {
  test('a value is loaded once', async () => {
    await loaded('a', 'first');
    expect(await memo.get('a')).toBe('first');
    expect(loads).toHaveLength(1);
  });

  test('concurrent reads share one load', async () => {
    const both = Promise.all([memo.get('a'), memo.get('a')]);
    expect(loads).toHaveLength(1);
    loads[0]?.resolve('first');
    expect(await both).toEqual(['first', 'first']);
  });

  test('a dropped value is loaded again', async () => {
    await loaded('a', 'first');
    memo.drop('a');
    await loaded('a', 'second');
    expect(await memo.get('a')).toBe('second');
  });

  test('a load that began before a drop does not serve reads after it', async () => {
    const before = memo.get('a');
    memo.drop('a');
    const after = memo.get('a');
    loads[1]?.resolve('new');
    loads[0]?.resolve('old');
    expect([await before, await after, await memo.get('a')]).toEqual(['old', 'new', 'new']);
  });

  test('a reload replaces the value, and reads wait for it', async () => {
    await loaded('a', 'first');
    const both = Promise.all([memo.reload('a'), memo.get('a')]);
    loads[1]?.resolve('second');
    expect(await both).toEqual(['second', 'second']);
    expect(loads).toHaveLength(2);
  });

  test('dropAll removes every key', async () => {
    await loaded('a', 'first');
    await loaded('b', 'first');
    memo.dropAll();
    expect([memo.last('a'), memo.last('b')]).toEqual([undefined, undefined]);
  });

  test('at most the maximum number of keys is kept', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await loaded(key, key);
    expect(memo.last('a')).toBeUndefined();
    expect(await memo.last('d')).toBe('d');
  });

  test('a value that is read stays when others are evicted', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await loaded(key, key);
    await memo.get('b');
    await loaded('e', 'e');
    expect(await memo.last('b')).toBe('b');
    expect(memo.last('c')).toBeUndefined();
  });

  test('keys that do not exist are remembered, and evict no value', async () => {
    const projects = createMemo<string | undefined>({
      load: async key => (key === 'real' ? key : undefined),
      maxEntries: 3,
      isReceiving: () => isReceiving,
    });
    await projects.get('real');
    await Promise.all(Array.from({ length: 2_000 }, (_, index) => projects.get(`unknown ${index}`)));
    expect(await projects.last('real')).toBe('real');
    expect(projects.last('unknown 0')).toBeUndefined();
    const remembered = projects.last('unknown 1999');
    expect(remembered).toBeDefined();
    expect(await remembered).toBeUndefined();
    projects.drop('unknown 1999');
    expect(projects.last('unknown 1999')).toBeUndefined();
  });
});

describe('values of different sizes', () => {
  let texts: Memo<string>;
  beforeEach(() => {
    texts = createMemo<string>({
      load: key => new Promise((resolve, reject) => loads.push({ key, resolve, reject })),
      maxEntries: 100,
      size: { of: text => text.length, max: 10 },
      isReceiving: () => isReceiving,
    });
  });
  const load = async (key: string, value: string) => {
    const promise = texts.reload(key);
    loads.at(-1)?.resolve(value);
    await promise;
  };
  const remembered = () => ['a', 'b', 'c'].filter(key => texts.last(key) !== undefined);

  test('are evicted until the others fit', async () => {
    await load('a', '12345');
    await load('b', '12345');
    expect(remembered()).toEqual(['a', 'b']);
    await load('c', '123456');
    expect(remembered()).toEqual(['c']);
  });

  test('count once, also when they are loaded again, dropped, or when a load fails', async () => {
    for (let count = 0; count < 5; count++) await load('a', '12345');
    const failed = texts.reload('a');
    loads.at(-1)?.reject(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    await load('b', '12345');
    expect(remembered()).toEqual(['a', 'b']);
    texts.drop('a');
    await load('c', '12345');
    expect(remembered()).toEqual(['b', 'c']);
  });

  test('that are larger than the whole memory are not kept', async () => {
    await load('a', '12345678901');
    expect(remembered()).toEqual([]);
    await load('b', '1');
    expect(remembered()).toEqual(['b']);
  });
});

describe('while notifications may be missing', () => {
  test('each read loads the value, and reads during a load share it', async () => {
    await loaded('a', 'first');
    isReceiving = false;
    const both = Promise.all([memo.get('a'), memo.get('a')]);
    loads[1]?.resolve('second');
    expect(await both).toEqual(['second', 'second']);
    await loaded('a', 'third');
    expect(loads).toHaveLength(3);
  });
});

describe('control 102: a load that fails', () => {
  test('fails for its callers, and the next read loads again', async () => {
    const first = memo.get('a');
    loads[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await loaded('a', 'back');
    expect(await memo.get('a')).toBe('back');
  });

  test('keeps the previous value when it is a reload', async () => {
    await loaded('a', 'good');
    const second = memo.reload('a');
    loads[1]?.reject(new Error('away'));
    await expect(second).rejects.toThrow('away');
    expect(await memo.get('a')).toBe('good');
  });

  test('keeps the previous value', async () => {
    await loaded('a', 'good');
    isReceiving = false;
    const second = memo.get('a');
    loads[1]?.reject(new Error('away'));
    await expect(second).rejects.toThrow('away');
    expect(await memo.last('a')).toBe('good');
  });
});
