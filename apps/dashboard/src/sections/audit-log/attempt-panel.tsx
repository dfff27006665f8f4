import type { AuditEvent } from '@tessera/client';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { Panel } from '../../components/page/panel.tsx';
import { eventWords } from './event-words.ts';
import { type AttemptStep, explainAttempt } from './explain-attempt.ts';

const icons = {
  passed: <CircleCheck aria-hidden className="tss:size-5 tss:text-foreground" />,
  failed: <CircleX aria-hidden className="tss:size-5 tss:text-destructive" />,
  skipped: <CircleMinus aria-hidden className="tss:size-5 tss:text-muted-foreground" />,
} satisfies Record<AttemptStep['state'], unknown>;

/** What the server found at each step of a sign-in attempt. */
export function AttemptPanel({ event }: { readonly event: AuditEvent }) {
  return (
    <Panel title={eventWords.detail.steps} className="tss:lg:col-span-2">
      <ol className="tss:grid tss:gap-4">
        {explainAttempt(event).map(step => (
          <li key={step.title} className="tss:flex tss:gap-3 tss:text-sm">
            <span className="tss:mt-0.5 tss:shrink-0">{icons[step.state]}</span>
            <div className="tss:grid tss:min-w-0 tss:gap-0.5">
              <p className="tss:font-medium">
                {step.title}{' '}
                <span className="tss:font-normal tss:text-muted-foreground">· {eventWords.state[step.state]}</span>
              </p>
              <p className="tss:wrap-anywhere tss:text-muted-foreground">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
