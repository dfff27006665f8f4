import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '@tessera/client';
import { buttonClass } from '@tessera/ui';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { eventWords } from '../event-words.ts';
import { type AttemptStep, explainAttempt } from './explain-attempt.ts';
import type { Mend } from './mends.ts';

const icons = {
  passed: <CircleCheck aria-hidden className="tss:size-5 tss:text-foreground" />,
  failed: <CircleX aria-hidden className="tss:size-5 tss:text-destructive" />,
  skipped: <CircleMinus aria-hidden className="tss:size-5 tss:text-muted-foreground" />,
} satisfies Record<AttemptStep['state'], unknown>;

const places = {
  domains: '/projects/$projectId/domains',
  limits: '/projects/$projectId/security',
  methods: '/projects/$projectId/sign-in-methods',
  passwords: '/projects/$projectId/security',
} as const satisfies Record<Mend, string>;

/** A link to the setting that decides about a failure. */
function MendLink({ mend }: { readonly mend: Mend }) {
  const project = useProject();
  return (
    <Link
      to={places[mend]}
      params={{ projectId: project.id }}
      className={buttonClass({ variant: 'link' }, 'tss:justify-self-start tss:text-sm')}
    >
      {eventWords.mend[mend]}
    </Link>
  );
}

function isProof({ action }: AuditEvent): boolean {
  return action === 'sign_in.failed' || action === 'sign_in.succeeded';
}

/** What the server found at each step of a sign-in attempt. */
export function AttemptPanel({ event }: { readonly event: AuditEvent }) {
  return (
    <Panel
      title={isProof(event) ? eventWords.detail.steps : eventWords.detail.attemptSteps}
      className="tss:lg:col-span-2"
    >
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
              {step.mend !== undefined && <MendLink mend={step.mend} />}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
