import { expect, it } from 'vitest';
import { createInOrder } from './in-order.ts';

it('an action begins when the one before it has ended, also when that one has failed', async () => {
  const inOrder = createInOrder();
  const seen: string[] = [];
  let fail: () => void = () => undefined;
  const first = inOrder(
    () =>
      new Promise((_, reject) => {
        seen.push('first');
        fail = () => reject(new Error('refused'));
      }),
  );
  const second = inOrder(async () => {
    seen.push('second');
    return 2;
  });
  await Promise.resolve();
  expect(seen).toEqual(['first']);
  fail();
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe(2);
});
