import { Button } from '@tessera/ui';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useProject } from '../../../data/owner.tsx';
import type { UserSearch } from '../search.ts';
import { words } from '../words.ts';
import type { ExportFormat } from './export-users.ts';

/** Exports all users of the filter, with progress and a way to stop. */
export function ExportButtons({ search }: { readonly search: UserSearch }) {
  const project = useProject();
  const [count, setCount] = useState<number>();
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  async function run(format: ExportFormat) {
    isStopped.current = false;
    setCount(0);
    try {
      const { exportUsers } = await import('./export-users.ts');
      await exportUsers(project, search, { format, onProgress: setCount, isStopped: () => isStopped.current });
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
        <Button
          variant="secondary"
          onClick={() => {
            isStopped.current = true;
          }}
        >
          {words.export.stop}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button variant="secondary" onClick={() => void run('csv')}>
        <Download aria-hidden size={16} />
        {words.export.csv}
      </Button>
      <Button variant="secondary" onClick={() => void run('lines')}>
        <Download aria-hidden size={16} />
        {words.export.lines}
      </Button>
    </>
  );
}
