import { expect, test, vi } from 'vitest';
import { deferred } from '../test/deferred.ts';
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

test('a change edits the last value of an own reader also after a refresh that failed', async () => {
  const load = vi.fn<() => Promise<number[]>>().mockResolvedValueOnce([1, 2]).mockRejectedValueOnce('away');
  const reader = createOwnReader(load);
  await reader.promise();
  await reader.refresh();
  reader.change(values => values.slice(1));
  expect(reader.peek()).toEqual({ status: 'ok', data: [2] });
});

test('of two refreshes of an own reader the later one is kept, also when the earlier one is answered last', async () => {
  const [earlier, later] = [deferred<string>(), deferred<string>()];
  const load = vi.fn<() => Promise<string>>();
  const reader = createOwnReader(load.mockReturnValueOnce(earlier.promise).mockReturnValueOnce(later.promise));
  const refreshes = [reader.refresh(), reader.refresh()];
  later.resolve('with the change');
  earlier.resolve('before the change');
  await Promise.all(refreshes);
  expect(reader.peek()).toEqual({ status: 'ok', data: 'with the change' });
});

test('a change of an own reader is kept when a read that began before it is answered after it', async () => {
  const before = deferred<number[]>();
  const load = vi
    .fn(async () => [2])
    .mockResolvedValueOnce([1, 2])
    .mockReturnValueOnce(before.promise);
  const reader = createOwnReader(load);
  await reader.promise();
  const refresh = reader.refresh();
  reader.change(values => values.slice(1));
  before.resolve([1, 2]);
  await refresh;
  expect(reader.peek()).toEqual({ status: 'ok', data: [2] });
});

test('a listener that has left an own reader is not called', async () => {
  const reader = createOwnReader(async () => 1);
  const listener = vi.fn();
  reader.subscribe(listener)();
  await reader.promise();
  expect(listener).not.toHaveBeenCalled();
});
