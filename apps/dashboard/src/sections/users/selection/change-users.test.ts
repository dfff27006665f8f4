import { expect, test, vi } from 'vitest';
import type { OwnedProject } from '../../../data/owner.tsx';
import { changeUsers } from './change-users.ts';

test('each change that fails has its reason, and a user who is gone counts as changed', async () => {
  const refused = new Error('refused');
  const users: Record<string, { delete: () => Promise<void> }> = {
    ada: { delete: async () => {} },
    bob: { delete: () => Promise.reject(refused) },
  };
  const project = { app: { getUser: async (id: string) => users[id] ?? null } } as unknown as OwnedProject;
  const change = (user: { delete: () => Promise<void> }) => user.delete();
  const onProgress = vi.fn();

  const result = await changeUsers(project, ['ada', 'bob', 'gone'], { change, onProgress });

  expect(result).toEqual({ done: 2, failures: [{ id: 'bob', error: refused }] });
  expect(onProgress.mock.calls.flat().toSorted()).toEqual([1, 2, 3]);
});
