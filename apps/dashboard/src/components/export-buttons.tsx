import { Button } from '@tessera/ui';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

const formats = ['csv', 'lines'] as const;

type Format = (typeof formats)[number];

/** What an export tells the page, and asks it. */
export interface ExportRun {
  readonly onProgress: (count: number) => void;
  /** Asked after each entry; a stopped export saves nothing. */
  readonly isStopped: () => boolean;
}

interface ExportButtonsProps {
  readonly words: Readonly<Record<Format | 'stop', string>> & { readonly running: (count: number) => string };
  /** Saves the file, and shows its own failure. */
  readonly save: (format: Format, run: ExportRun) => Promise<void>;
}

/**
 * Exports a list, with progress and a way to stop. The button of a running export stays: it keeps the keyboard focus, and the
 * second click of a double click is not one on the button that stops it. The other one leaves its space to the progress.
 */
export function ExportButtons({ words, save }: ExportButtonsProps) {
  const [running, setRunning] = useState<{ readonly format: Format; readonly count: number }>();
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  async function run(format: Format) {
    isStopped.current = false;
    setRunning({ format, count: 0 });
    try {
      await save(format, {
        onProgress: count => setRunning({ format, count }),
        isStopped: () => isStopped.current,
      });
    } finally {
      setRunning(undefined);
    }
  }

  return (
    <>
      {formats.map(
        format =>
          (running?.format ?? format) === format && (
            <Button key={format} variant="secondary" busy={running !== undefined} onClick={() => void run(format)}>
              <Download aria-hidden size={16} />
              {words[format]}
            </Button>
          ),
      )}
      {running && (
        <>
          <p role="status" className="tss:self-center tss:text-sm tss:text-muted-foreground">
            {words.running(running.count)}
          </p>
          <Button
            variant="secondary"
            onClick={() => {
              isStopped.current = true;
            }}
          >
            {words.stop}
          </Button>
        </>
      )}
    </>
  );
}
