import type { AuditLogFilter } from '@tessera/client';
import { Button, saveFile } from '@tessera/ui';
import { Download } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { words } from '../words.ts';
import { type ExportFormat, exportFormats } from './export-file.ts';

const eventsPerReport = 500;

/** Exports all events of the filter, with progress and a way to stop. */
export function ExportButtons({ filter }: { readonly filter: AuditLogFilter }) {
  const project = useProject();
  const [count, setCount] = useState<number>();
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  // Leaving the page stops the export.
  useEffect(() => stop, [stop]);

  async function run(format: ExportFormat) {
    isStopped.current = false;
    setCount(0);
    try {
      const parts: string[] = [format.head];
      for await (const event of project.app.exportAuditLog(filter)) {
        if (isStopped.current) return;
        parts.push(format.line(event));
        if (parts.length % eventsPerReport === 0) setCount(parts.length);
      }
      saveFile(`audit-log-${project.id}.${format.extension}`, parts, format.type);
      toast.success(words.export.done(parts.length - 1));
    } catch (error) {
      toast.error(problemWords(error));
    } finally {
      setCount(undefined);
    }
  }

  if (count !== undefined) {
    return (
      <>
        <p role="status" className="tss:self-center tss:text-sm tss:text-muted-foreground">
          {words.export.running(count)}
        </p>
        <Button variant="secondary" onClick={stop}>
          {words.export.stop}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button variant="secondary" onClick={() => void run(exportFormats.csv)}>
        <Download aria-hidden size={16} />
        {words.export.csv}
      </Button>
      <Button variant="secondary" onClick={() => void run(exportFormats.lines)}>
        <Download aria-hidden size={16} />
        {words.export.lines}
      </Button>
    </>
  );
}
