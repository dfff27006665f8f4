import type { OwnedProject } from '../../../data/owner.tsx';
import type { User } from '../queries.ts';

const atOnce = 4;

/** Changes users, a few at a time. A user who is gone already counts as changed. */
export async function changeUsers(
  project: OwnedProject,
  ids: readonly string[],
  { change, onProgress }: { change: (user: User) => Promise<void>; onProgress: (count: number) => void },
): Promise<{ readonly done: number; readonly failures: readonly unknown[] }> {
  const waiting = [...ids];
  const failures: unknown[] = [];
  let done = 0;

  async function work(): Promise<void> {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      try {
        const user = await project.app.getUser(id);
        if (user !== null) await change(user);
        done += 1;
      } catch (error) {
        failures.push(error);
      }
      onProgress(done + failures.length);
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failures };
}
