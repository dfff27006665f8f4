import type { AuditLogFilter } from '@tessera/client';
import { saveFile } from '@tessera/ui';
import { toast } from 'sonner';
import { ExportButtons, type ExportRun } from '../../../components/export-buttons.tsx';
import { type OwnedProject, useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { words } from '../words.ts';
import { type ExportFormat, exportFormats } from './export-file.ts';

const eventsPerReport = 500;

/** Exports all events of the filter. */
export function AuditExport({ filter }: { readonly filter: AuditLogFilter }) {
  const project = useProject();

  return (
    <ExportButtons
      words={words.export}
      save={(format, run) => exportEvents(project, filter, { ...run, format: exportFormats[format] })}
    />
  );
}

/** Saves all events of the filter as a file. A failure is shown as a toast. */
async function exportEvents(
  project: OwnedProject,
  filter: AuditLogFilter,
  { format, onProgress, isStopped }: ExportRun & { readonly format: ExportFormat },
): Promise<void> {
  try {
    const lines: string[] = [];
    for await (const event of project.app.exportAuditLog(filter)) {
      if (isStopped()) return;
      lines.push(format.line(event));
      if (lines.length % eventsPerReport === 0) onProgress(lines.length);
    }
    saveFile(`audit-log-${project.id}.${format.extension}`, [format.head, ...lines], format.type);
    toast.success(words.export.done(lines.length));
  } catch (error) {
    toast.error(problemWords(error));
  }
}
