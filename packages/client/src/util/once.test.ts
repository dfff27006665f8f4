import { expect, test, vi } from 'vitest';
import { lazily, once } from './once.ts';

test('a chunk is loaded once, and a failed load is repeated at the next call', async () => {
  const load = vi.fn(async () => 'chunk');
  load.mockRejectedValueOnce(new Error('offline'));
  const get = once(load);
  expect(load).not.toHaveBeenCalled();
  await expect(get()).rejects.toThrow('offline');
  expect(await Promise.all([get(), get()])).toEqual(['chunk', 'chunk']);
  expect(load).toHaveBeenCalledTimes(2);
});

test('lazy methods exist before their chunk loads, and pass arguments and results through', async () => {
  const load = vi.fn(async () => ({ add: async (a: number, b: number) => a + b, none: async () => undefined }));
  const methods = lazily<{ add(a: number, b: number): Promise<number>; none(): Promise<undefined> }>(
    { add: true, none: true },
    load,
  );
  expect(Object.keys(methods)).toEqual(['add', 'none']);
  expect(await methods.add(1, 2)).toBe(3);
  expect(await methods.none()).toBeUndefined();
  expect(load).toHaveBeenCalledTimes(1);
});
