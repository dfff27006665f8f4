import { isKnown } from '@tessera/client';
import { Button } from '@tessera/ui';
import { CircleAlert } from 'lucide-react';
import { problemWords, traceIdOf } from '../../data/problem-words.ts';
import { words } from '../../words.ts';
import { EmptyState } from './empty-state.tsx';

interface ProblemProps {
  readonly error: unknown;
  /** Default: "This could not be loaded". */
  readonly title?: string;
  /** For a problem in place of a whole page. Default: the title is a paragraph. */
  readonly heading?: 'h1' | 'p';
  readonly retry?: (() => unknown) | undefined;
}

/** The failed state of a page or a part of it: what happened, the trace id, and a way to try again. */
export function Problem({ error, title = words.problem.title, heading: Title = 'p', retry }: ProblemProps) {
  // No failure: another try gets the same answer.
  if (isKnown(error, 'PROJECT_ROLE_INSUFFICIENT')) {
    return <EmptyState title={words.viewer.hidden}>{problemWords(error)}</EmptyState>;
  }
  const traceId = traceIdOf(error);
  return (
    <div
      role="alert"
      className="tss:flex tss:gap-3 tss:rounded-lg tss:border tss:border-destructive/40 tss:bg-card tss:p-4 tss:text-sm"
    >
      <CircleAlert aria-hidden className="tss:mt-0.5 tss:size-5 tss:shrink-0 tss:text-destructive" />
      <div className="tss:grid tss:min-w-0 tss:flex-1 tss:justify-items-start tss:gap-2">
        <Title className="tss:font-semibold">{title}</Title>
        <p className="tss:wrap-anywhere tss:text-muted-foreground">{problemWords(error)}</p>
        {traceId !== undefined && (
          <p className="tss:font-mono tss:text-xs tss:text-muted-foreground">{words.problem.traceId(traceId)}</p>
        )}
        {retry && (
          <Button variant="secondary" size="sm" onClick={() => void retry()}>
            {words.problem.retry}
          </Button>
        )}
      </div>
    </div>
  );
}
