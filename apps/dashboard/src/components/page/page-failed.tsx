import type { ErrorComponentProps } from '@tanstack/react-router';
import { ThemeRoot } from '@tessera/ui';
import { words } from '../../words.ts';
import { Problem } from './problem.tsx';

/** A page whose code could not be loaded or that failed while rendering. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <ThemeRoot>
      <main className="tss:mx-auto tss:max-w-160 tss:p-6">
        <Problem title={words.problem.pageTitle} error={error} retry={reset} />
      </main>
    </ThemeRoot>
  );
}
