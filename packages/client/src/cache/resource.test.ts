import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { entity, extendEntities } from '../objects/entity.ts';
import { constantReader, selectReader } from '../objects/selection.ts';
import { node } from '../platform/node.ts';
import { createResources, readOf } from './resource.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const make = () => createResources({ platform: node() });
const pass = (delayMs: number) => vi.advanceTimersByTimeAsync(delayMs);

describe('renew', () => {
  test('a listener keeps the old value until the new one is stored', async () => {
    const resources = make();
    let value = 'old';
    const resource = resources.make('teams', (_session: object, _id: string) => ({ load: async () => value }));
    const session = {};
    const [entry, other] = [resource.entry(session, 'a'), resource.entry({}, 'a')];
    for (const each of [entry, other]) each.subscribe(() => {});
    await pass(1000);
    value = 'new';
    const renewed = resources.renew('teams', session);
    expect(entry.peek()).toMatchObject({ data: 'old' });
    await pass(1000);
    await renewed;
    expect(entry.peek()).toMatchObject({ data: 'new' });
    expect(other.peek()).toMatchObject({ data: 'old' });
  });

  test('a value without listeners is dropped without a request', async () => {
    const resources = make();
    const load = vi.fn(async () => 'value');
    const resource = resources.make('teams', () => ({ load }));
    await Promise.all([resource.fetch(), pass(1000)]);
    await resources.renew('teams');
    expect(resource.entry().peek()).toBeUndefined();
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('a kind that was never read needs no request', async () => {
    await expect(make().renew('ownedProjects')).resolves.toBeUndefined();
  });
});

describe('a selection of a value', () => {
  test('is the same object for the same value, and passes failures through', async () => {
    const load = vi.fn(async () => [1, 2, 3]);
    const whole = make()
      .make(null, () => ({ load }))
      .entry();
    const even = () => selectReader(whole, 'even', list => list.filter(number => number % 2 === 0));
    expect(even()).toBe(even());
    expect(even().peek()).toBeUndefined();
    expect(even().promise()).toBe(even().promise());
    await Promise.all([even().promise(), pass(1000)]);
    expect(even().peek()).toEqual({ status: 'ok', data: [2] });
    expect(even().peek()).toBe(even().peek());
    load.mockRejectedValueOnce(new Error('no'));
    const refreshed = even().refresh();
    await pass(1000);
    expect(await refreshed).toMatchObject({ status: 'error' });
    await expect(Promise.all([readOf(even).fetch(), pass(1000)])).resolves.toEqual([[2], expect.anything()]);
  });

  test('of a constant is available at once', async () => {
    const reader = constantReader(5)();
    expect(reader.peek()).toEqual({ status: 'ok', data: 5 });
    expect(await reader.refresh()).toBe(await reader.promise());
    reader.subscribe(() => {})();
  });
});

test('a framework adds members to objects based on their reads', () => {
  const read = readOf(constantReader('teams'));
  extendEntities(reads => Object.fromEntries(Object.keys(reads).map(name => [name.replace('list', 'use'), () => 1])));
  const object = entity({ id: 1 }, { listTeams: read }, {});
  extendEntities(() => ({}));
  expect(Object.keys(object)).toEqual(['id', 'listTeams', 'useTeams']);
  expect(Object.keys(entity({}, { listTeams: read }, {}))).toEqual(['listTeams']);
});
