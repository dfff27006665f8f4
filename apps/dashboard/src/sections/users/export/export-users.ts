import type { ServerUserJson } from '@tessera/client';
import { saveFile } from '@tessera/ui';
import { toast } from 'sonner';
import type { ExportRun } from '../../../components/export-buttons.tsx';
import type { OwnedProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { type UserSearch, userFilterOf } from '../search.ts';
import { words } from '../words.ts';
import { exportFormats } from './export-file.ts';

/** The name of a file format. */
export type ExportFormat = keyof typeof exportFormats;

const usersPerReport = 500;

/** Saves all users of the filter as a file. A failure is shown as a toast. */
export async function exportUsers(
  project: OwnedProject,
  search: UserSearch,
  { format, onProgress, isStopped }: ExportRun & { readonly format: ExportFormat },
): Promise<void> {
  const { head, line, extension, type } = exportFormats[format];
  try {
    const users: AsyncIterable<ServerUserJson> = project.app.exportUsers(userFilterOf(search));
    const lines: string[] = [];
    for await (const user of users) {
      if (isStopped()) return;
      lines.push(line(user));
      if (lines.length % usersPerReport === 0) onProgress(lines.length);
    }
    saveFile(`users-${project.id}.${extension}`, [head, ...lines], type);
    toast.success(words.export.done(lines.length));
  } catch (error) {
    toast.error(problemWords(error));
  }
}
