import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { type OwnedProject, useProject } from '../../../data/owner.tsx';
import { type User, usersKey } from '../queries.ts';
import { words } from '../words.ts';
import { changeUsers } from './change-users.ts';
import { describeFailures, reportFailures } from './describe-failures.ts';

/** The selected users, at least one. */
export interface Selection {
  readonly ids: readonly string[];
  /** The name of one of them, for the report of a failure. */
  readonly nameOf: (id: string) => string;
}

/** What is done with each selected user, and the words for the outcome. */
export interface SelectionChange {
  readonly change: (user: User) => Promise<unknown>;
  readonly done: (count: number) => string;
  readonly partly: (done: number, failed: number) => string;
}

/** Changes users, and shows the progress and the outcome in a toast. */
export function useSelectionChange(): (selection: Selection, change: SelectionChange) => Promise<void> {
  const project = useProject();
  const cache = useQueryClient();
  return (selection, change) => changeSelected({ project, cache }, selection, change);
}

async function changeSelected(
  { project, cache }: { readonly project: OwnedProject; readonly cache: QueryClient },
  { ids, nameOf }: Selection,
  { change, done: doneWords, partly }: SelectionChange,
): Promise<void> {
  const id = toast.loading(words.working(0, ids.length));
  const onProgress = (count: number) => void toast.loading(words.working(count, ids.length), { id });
  const { done, failures } = await changeUsers(project, ids, { change, onProgress });
  await cache.invalidateQueries({ queryKey: usersKey(project) });
  if (failures.length === 0) toast.success(doneWords(done), { id });
  else reportFailures(partly(done, failures.length), id, describeFailures(failures, nameOf));
}
