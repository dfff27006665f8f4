import type { OwnedProject } from '../../../data/owner.tsx';
import type { User } from '../queries.ts';
import { eachUser } from './each-user.ts';

/** Changes users, a few at a time. A user who is gone already counts as changed. */
export function changeUsers(
  project: OwnedProject,
  ids: readonly string[],
  { change, onProgress }: { change: (user: User) => Promise<unknown>; onProgress: (count: number) => void },
): ReturnType<typeof eachUser> {
  const work = async (id: string) => {
    const user = await project.app.getUser(id);
    if (user !== null) await change(user);
  };
  return eachUser(ids, work, onProgress);
}
