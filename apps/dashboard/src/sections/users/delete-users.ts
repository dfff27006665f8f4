import type { OwnedProject } from '../../data/owner.tsx';

const atOnce = 4;

/** Deletes users, a few at a time. A user who is gone already counts as deleted. */
export async function deleteUsers(
  project: OwnedProject,
  ids: readonly string[],
  onProgress: (count: number) => void,
): Promise<{ readonly done: number; readonly failures: readonly unknown[] }> {
  const waiting = [...ids];
  const failures: unknown[] = [];
  let done = 0;

  async function work(): Promise<void> {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      try {
        await (await project.app.getUser(id))?.delete();
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
