import { isKnown } from '@tessera/client';
import { Button, classNames } from '@tessera/ui';
import { CircleAlert, EyeOff } from 'lucide-react';
import { problemWords, traceIdOf } from '../../data/problem-words.ts';
import { words } from '../../words.ts';

interface ProblemProps {
  readonly error: unknown;
  /** Default: "This could not be loaded". */
  readonly title?: string;
  /** For a problem in place of a whole page. Default: the title is a paragraph. */
  readonly heading?: 'h1' | 'p';
  readonly retry?: (() => unknown) | undefined;
  readonly className?: string;
}

/**
 * The failed state of a page or a part of it: what happened, the trace id, and a way to try again. What the role may not
 * see is no failure.
 */
export function Problem(props: ProblemProps) {
  return isKnown(props.error, 'PROJECT_ROLE_INSUFFICIENT') ? <Hidden {...props} /> : <Failure {...props} />;
}

const box = 'tss:flex tss:gap-3 tss:rounded-lg tss:border tss:bg-card tss:p-4 tss:text-sm';

function Failure({ error, title = words.problem.title, heading: Title = 'p', retry, className }: ProblemProps) {
  const traceId = traceIdOf(error);
  return (
    <div role="alert" className={classNames(box, 'tss:border-destructive/40', className)}>
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

function Hidden({ error, heading: Title = 'p', className }: ProblemProps) {
  return (
    <div className={classNames(box, 'tss:border-border', className)}>
      <EyeOff aria-hidden className="tss:mt-0.5 tss:size-5 tss:shrink-0 tss:text-muted-foreground" />
      <div className="tss:grid tss:min-w-0 tss:flex-1 tss:gap-2">
        <Title className="tss:font-semibold">{words.viewer.hidden}</Title>
        <p className="tss:wrap-anywhere tss:text-muted-foreground">{problemWords(error)}</p>
      </div>
    </div>
  );
}
