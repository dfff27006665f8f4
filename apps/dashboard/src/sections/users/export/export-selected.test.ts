import { toast } from 'sonner';
import { afterEach, expect, test, vi } from 'vitest';
import type { OwnedProject } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
import { exportSelected } from './export-selected.ts';

afterEach(() => vi.restoreAllMocks());

/** Exports the users of these ids, and returns the saved text; undefined when nothing was saved. */
async function exported(ids: readonly string[], read: (id: string) => readonly object[]): Promise<string | undefined> {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  async function* exportUsers({ query }: { query: string }) {
    yield* read(query);
  }
  const project = { id: 'p1', app: { exportUsers } } as unknown as OwnedProject;
  await exportSelected(project, { ids, nameOf: id => `user ${id}` }, 'lines');
  const file = saved.mock.calls[0]?.[0];
  return file instanceof Blob ? file.text() : undefined;
}

test('selected users are saved in their order, and a user who is gone is reported', async () => {
  const success = vi.spyOn(toast, 'success');
  const text = await exported(['b', 'gone', 'a'], id => (id === 'gone' ? [] : [{ id: `other than ${id}` }, { id }]));
  expect(text).toBe('{"id":"b"}\n{"id":"a"}\n');
  expect(success).toHaveBeenCalledWith('2 users were exported', {
    id: expect.anything(),
    description: 'Without 1 user who is no longer in the project',
  });
});

test('nothing is saved when a selected user cannot be read, and the toast names the user', async () => {
  const failure = vi.spyOn(toast, 'error');
  const text = await exported(['a', 'b'], id => {
    if (id === 'b') throw new Error('unreachable');
    return [{ id }];
  });
  expect(text).toBeUndefined();
  expect(failure).toHaveBeenCalledWith('Nothing was exported', {
    id: expect.anything(),
    description: `user b: ${common.problem.unexpected}`,
    duration: Number.POSITIVE_INFINITY,
  });
});
