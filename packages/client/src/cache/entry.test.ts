import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failed, ok } from '../errors/result.ts';
import { node } from '../platform/node.ts';
import { createBrowser } from '../test/browser.ts';
import { RequestError } from '../transport/request-error.ts';
import { Entry } from './entry.ts';
import { holdWrites } from './write-lock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An entry whose fetches the test answers. */
function make(known?: () => string | undefined) {
  const answers: { resolve(value: string): void; reject(error: unknown): void }[] = [];
  const load = vi.fn(() => new Promise<string>((resolve, reject) => answers.push({ resolve, reject })));
  const owner = {};
  const unwatch = vi.fn();
  const watch = vi.fn((_changed: () => void) => unwatch);
  const { page, comeBack } = createBrowser().openTab(fetch);
  const entry = new Entry({ load, watch, ...(known && { known }) }, { platform: { ...node(), page } }, owner);
  const changed = vi.fn();
  const answer = async (index: number, value: string) => {
    answers[index]?.resolve(value);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { entry, load, answers, answer, watch, unwatch, changed, comeBack, owner };
}

const pass = (delayMs: number) => vi.advanceTimersByTimeAsync(delayMs);

describe('reading', () => {
  test('the first subscriber starts a fetch, and all subscribers are notified', async () => {
    const { entry, load, answer, changed } = make();
    expect(entry.peek()).toBeUndefined();
    entry.subscribe(changed);
    entry.subscribe(changed);
    await pass(0);
    expect(load).toHaveBeenCalledTimes(1);
    await answer(0, 'value');
    expect(entry.peek()).toEqual(ok('value'));
    expect(changed).toHaveBeenCalledTimes(2);
  });

  test('a pending read returns the same promise, and subscribing starts no second fetch', async () => {
    const { entry, load, answer, changed } = make();
    const promise = entry.promise();
    expect(entry.promise()).toBe(promise);
    entry.subscribe(changed);
    await pass(0);
    await answer(0, 'value');
    expect(await promise).toEqual(ok('value'));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('a value that is known without a request is available at once', () => {
    const { entry, load } = make(() => 'known');
    expect(entry.peek()).toEqual(ok('known'));
    expect(entry.peek()).toBe(entry.peek());
    expect(load).not.toHaveBeenCalled();
  });

  test('a failure is stored like a value', async () => {
    const { entry, answers } = make();
    const promise = entry.promise();
    await pass(0);
    const error = new Error('no');
    answers[0]?.reject(error);
    expect(await promise).toEqual(failed(error));
    expect(entry.peek()).toEqual(failed(error));
  });

  test('the source is watched while there are subscribers', () => {
    const { entry, watch, unwatch, changed } = make();
    const undo = [entry.subscribe(changed), entry.subscribe(changed)];
    expect(watch).toHaveBeenCalledTimes(1);
    undo[0]?.();
    expect(unwatch).not.toHaveBeenCalled();
    undo[1]?.();
    expect(unwatch).toHaveBeenCalledTimes(1);
  });
});

describe('storing', () => {
  test('an older value that arrives after a newer one is dropped', async () => {
    const { entry, answer } = make();
    void entry.refresh();
    await pass(0);
    await entry.store(Promise.resolve('newer'));
    await answer(0, 'older');
    expect(entry.peek()).toEqual(ok('newer'));
  });

  test('storing an identical value notifies no listener', async () => {
    const { entry, changed } = make();
    await entry.store(Promise.resolve('same'));
    entry.subscribe(changed);
    await entry.store(Promise.resolve('same'));
    expect(changed).not.toHaveBeenCalled();
  });

  test('no value is stored while the write lock of its owner is held', async () => {
    const { entry, owner } = make();
    let finish: () => void = () => {};
    const held = holdWrites(owner, () => new Promise<void>(resolve => (finish = resolve)));
    const stored = entry.store(Promise.resolve('value'));
    await pass(1000);
    expect(entry.peek()).toBeUndefined();
    finish();
    await held;
    await stored;
    expect(entry.peek()).toEqual(ok('value'));
  });

  test('control 40: a failed refetch of an unreachable server keeps the value', async () => {
    const { entry } = make();
    await entry.store(Promise.resolve('value'));
    const error = new RequestError('unreachable', 'away');
    expect(await entry.store(Promise.reject(error))).toEqual(failed(error));
    expect(entry.peek()).toEqual(ok('value'));
  });
});

describe('on return to the page', () => {
  test('a failure that has a listener is fetched again', async () => {
    const { entry, answers, answer, changed, comeBack } = make();
    entry.subscribe(changed);
    await pass(0);
    answers[0]?.reject(new RequestError('offline', 'away'));
    await pass(300);
    comeBack();
    await pass(0);
    await answer(1, 'value');
    expect(entry.peek()).toEqual(ok('value'));
  });

  test('a value is not fetched again, and neither is a failure without a listener', async () => {
    const { entry, load, answers, answer, changed, comeBack } = make();
    const undo = entry.subscribe(changed);
    await pass(0);
    await answer(0, 'value');
    comeBack();
    entry.invalidate();
    await pass(300);
    answers[1]?.reject(new Error('broken'));
    await pass(300);
    undo();
    comeBack();
    await pass(300);
    expect(load).toHaveBeenCalledTimes(2);
  });
});

test('a value that an unreachable server left on the page is as old as before', async () => {
  const { entry, load } = make();
  await entry.store(Promise.resolve('value'));
  await pass(1000);
  await entry.store(Promise.reject(new RequestError('unreachable', 'away')));
  void entry.fresherThan(1000);
  await pass(0);
  expect(load).toHaveBeenCalledTimes(1);
});

describe('an unused value', () => {
  test('is removed five seconds after the last subscriber leaves', async () => {
    const { entry, changed } = make();
    await entry.store(Promise.resolve('value'));
    entry.subscribe(changed)();
    await pass(4999);
    expect(entry.peek()).toEqual(ok('value'));
    await pass(1);
    expect(entry.peek()).toBeUndefined();
  });

  test('is kept when a new subscriber arrives within five seconds', async () => {
    const { entry, changed } = make();
    await entry.store(Promise.resolve('value'));
    entry.subscribe(changed)();
    await pass(3000);
    const undo = entry.subscribe(changed);
    await pass(10_000);
    expect(entry.peek()).toEqual(ok('value'));
    undo();
    await pass(5000);
    expect(entry.peek()).toBeUndefined();
  });

  test('that is invalidated while it has subscribers is fetched again at once', async () => {
    const { entry, load, answer, changed } = make();
    await entry.store(Promise.resolve('value'));
    entry.subscribe(changed);
    entry.invalidate();
    expect(entry.peek()).toBeUndefined();
    await pass(0);
    expect(load).toHaveBeenCalledTimes(1);
    await answer(0, 'again');
    expect(entry.peek()).toEqual(ok('again'));
  });

  test('is not stored by a fetch that started before invalidation', async () => {
    const { entry, answer } = make();
    void entry.refresh();
    await pass(0);
    entry.invalidate();
    await answer(0, 'stale');
    expect(entry.peek()).toBeUndefined();
  });
});

describe('a failed first read', () => {
  async function failedRead() {
    const made = make();
    void made.entry.promise();
    await pass(0);
    made.answers[0]?.reject(new Error('broken'));
    await pass(0);
    return made;
  }

  test('fetches again after forgetFailure, although no component was mounted', async () => {
    const { entry, load, answer } = await failedRead();
    expect(entry.peek()).toMatchObject({ status: 'error' });
    entry.forgetFailure();
    const next = entry.promise();
    await pass(300);
    await answer(1, 'value');
    expect(await next).toEqual(ok('value'));
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('is removed after five seconds without a listener', async () => {
    const { entry } = await failedRead();
    await pass(4999);
    expect(entry.peek()).toMatchObject({ status: 'error' });
    await pass(1);
    expect(entry.peek()).toBeUndefined();
  });

  test('forgetFailure does not remove a value', async () => {
    const { entry, answer } = make();
    void entry.promise();
    await pass(0);
    await answer(0, 'value');
    entry.forgetFailure();
    expect(entry.peek()).toEqual(ok('value'));
  });
});
