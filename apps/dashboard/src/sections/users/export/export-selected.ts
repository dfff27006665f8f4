import type { ServerUserJson } from '@tessera/client';
import { saveFile } from '@tessera/ui';
import { toast } from 'sonner';
import type { OwnedProject } from '../../../data/owner.tsx';
import type { Selection } from '../selection/change-selected.ts';
import { describeFailures, reportFailures } from '../selection/describe-failures.ts';
import { eachUser } from '../selection/each-user.ts';
import { actionWords } from '../selection/selection-action-words.ts';
import { words } from '../words.ts';
import { exportFormats } from './export-file.ts';
import type { ExportFormat } from './export-users.ts';

/**
 * Saves the selected users as a file, in the order of their selection. When one of them cannot be read, nothing is saved: a
 * file does not show what is missing.
 */
export async function exportSelected(
  project: OwnedProject,
  { ids, nameOf }: Selection,
  format: ExportFormat,
): Promise<void> {
  const id = toast.loading(words.working(0, ids.length));
  const onProgress = (count: number) => void toast.loading(words.working(count, ids.length), { id });
  const { head, line, extension, type } = exportFormats[format];
  const lines = new Map<string, string>();

  const read = async (userId: string) => {
    const user = await readUser(project, userId);
    if (user !== undefined) lines.set(userId, line(user));
  };
  const { failures } = await eachUser(ids, read, onProgress);
  if (failures.length > 0) {
    reportFailures(actionWords.exportFailed, id, describeFailures(failures, nameOf));
    return;
  }
  saveFile(`users-${project.id}.${extension}`, [head, ...ids.flatMap(userId => lines.get(userId) ?? [])], type);
  const missing = ids.length - lines.size;
  const description = missing === 0 ? undefined : actionWords.exportedWithout(missing);
  toast.success(words.export.done(lines.size), { id, description });
}

/** The user as an export of the list has it. A whole id finds one user; undefined when the user is gone. */
async function readUser(project: OwnedProject, userId: string): Promise<ServerUserJson | undefined> {
  for await (const user of project.app.exportUsers({ query: userId })) if (user.id === userId) return user;
  return undefined;
}
