import type { ServerUserJson } from '@tessera/client';
import { Button } from '@tessera/ui';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { saveFile } from '../../files/save-file.ts';
import { exportFormats } from './export-file.ts';
import { type UserSearch, userFilterOf } from './search.ts';
import { words } from './words.ts';

const usersPerReport = 500;

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

  async function run({ head, line, extension, type }: (typeof exportFormats)[keyof typeof exportFormats]) {
    isStopped.current = false;
    setCount(0);
    try {
      const users: AsyncIterable<ServerUserJson> = project.app.exportUsers(userFilterOf(search));
      const parts: string[] = [head];
      for await (const user of users) {
        if (isStopped.current) return;
        parts.push(line(user));
        if (parts.length % usersPerReport === 0) setCount(parts.length);
      }
      saveFile(`users-${project.id}.${extension}`, parts, type);
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
