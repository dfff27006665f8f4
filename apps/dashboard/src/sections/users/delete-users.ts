import type { OwnedProject } from '../../data/owner.tsx';

const atOnce = 4;

/** Deletes users, a few at a time. A user who is gone already counts as deleted. */
export async function deleteUsers(
  project: OwnedProject,
  ids: readonly string[],
  onProgress: (count: number) => void,
): Promise<{ done: number; failed: number }> {
  const waiting = [...ids];
  const result = { done: 0, failed: 0 };

  async function work(): Promise<void> {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      try {
        await (await project.app.getUser(id))?.delete();
        result.done += 1;
      } catch {
        // The count of failures is shown; the list is read again and still contains those users.
        result.failed += 1;
      }
      onProgress(result.done + result.failed);
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work));
  return result;
}
