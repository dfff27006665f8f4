import { expect, test, vi } from 'vitest';
import { createOwnReader } from './own-reader.ts';

test('an own reader loads once for several listeners and calls each of them', async () => {
  const load = vi.fn(async () => ['a']);
  const reader = createOwnReader(load);
  const listeners = [vi.fn(), vi.fn()];
  for (const listener of listeners) reader.subscribe(listener);
  expect(reader.peek()).toBeUndefined();
  expect(await reader.promise()).toEqual({ status: 'ok', data: ['a'] });
  expect(load).toHaveBeenCalledOnce();
  for (const listener of listeners) expect(listener).toHaveBeenCalledOnce();
});

test('an own reader has no value while it reads again after a failure', async () => {
  const load = vi.fn().mockRejectedValueOnce('away').mockResolvedValueOnce('here');
  const reader = createOwnReader(load);
  expect(await reader.promise()).toEqual({ status: 'error', error: 'away' });
  const again = reader.refresh();
  expect(reader.peek()).toBeUndefined();
  expect(await again).toEqual({ status: 'ok', data: 'here' });
});

test('a change edits the loaded value of an own reader, and does nothing before', async () => {
  const reader = createOwnReader(async () => [1, 2]);
  reader.change(() => []);
  expect(reader.peek()).toBeUndefined();
  await reader.promise();
  reader.change(values => values.slice(1));
  expect(reader.peek()).toEqual({ status: 'ok', data: [2] });
});

test('a listener that has left an own reader is not called', async () => {
  const reader = createOwnReader(async () => 1);
  const listener = vi.fn();
  reader.subscribe(listener)();
  await reader.promise();
  expect(listener).not.toHaveBeenCalled();
});
