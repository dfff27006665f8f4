import { type CurrentUser, internals, RequestError } from '@tessera/client';
import { FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useSay } from '../../words/say.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { useFocusedTitle, WaitingCard } from '../codes/code-link.tsx';
import { useRequiredUser } from '../navigation/use-required-user.ts';

/** Props of `CliAuthConfirmation`. */
export interface CliAuthConfirmationProps {
  /** Centres the page in the window. Default: it does. */
  fullPage?: boolean | undefined;
}

/** The page on which somebody lets a command-line program act for them. */
export function CliAuthConfirmation({ fullPage = true }: CliAuthConfirmationProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <ForUser />
    </PageSurface>
  );
}

function ForUser() {
  const user = useRequiredUser();
  if (user.error !== undefined && !user.value) return <FailedCard error={user.error} retry={user.retry} />;
  return user.value ? <Confirmation user={user.value} /> : <WaitingCard label="page.loading" />;
}

type Step = { is: 'question' } | { is: 'done' } | { is: 'failed'; because: string };

function Confirmation({ user }: { user: CurrentUser }) {
  const app = useApp();
  const say = useSay();
  const [step, setStep] = useState<Step>({ is: 'question' });
  const title = useFocusedTitle(step.is !== 'question');

  async function authorize() {
    const loginCode = new URLSearchParams(window.location.search).get('login_code');
    if (!loginCode) return setStep({ is: 'failed', because: say('cli.noCode') });

    try {
      const { refreshToken } = await user.currentSession.getTokens();
      if (refreshToken === null) return setStep({ is: 'failed', because: say('cli.noSession') });
      const answer = await app[internals].sendRequest('/auth/cli/complete', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login_code: loginCode, refresh_token: refreshToken }),
      });
      // An answer that nobody reads counts as broken off.
      await answer.arrayBuffer();
      setStep({ is: 'done' });
    } catch (error) {
      setStep({ is: 'failed', because: isRefusal(error) ? say('cli.refused') : errorWords(error, say) });
    }
  }

  const close = () => window.close();

  if (step.is === 'done') {
    return (
      <ActionCard
        title={say('cli.done')}
        titleRef={title}
        primaryButtonText={say('action.close')}
        primaryAction={close}
      >
        <p className="tss:text-pretty">{say('cli.doneText')}</p>
      </ActionCard>
    );
  }
  if (step.is === 'failed') {
    return (
      <ActionCard
        title={say('cli.failed')}
        titleRef={title}
        primaryButtonText={say('action.retry')}
        primaryAction={() => setStep({ is: 'question' })}
        secondaryButtonText={say('action.cancel')}
        secondaryAction={close}
      >
        <p className="tss:text-destructive">{step.because}</p>
      </ActionCard>
    );
  }
  return (
    <ActionCard
      title={say('cli.title')}
      primaryButtonText={say('cli.authorize')}
      primaryAction={authorize}
      secondaryButtonText={say('action.cancel')}
      secondaryAction={close}
    >
      <p className="tss:text-pretty">{say('cli.text', { name: user.primaryEmail ?? user.displayName ?? user.id })}</p>
      <FormSummary role="note" title={say('cli.warning')} />
    </ActionCard>
  );
}

/** The server knows no such login, or it was completed or is over: a sentence without a code. */
function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status !== undefined && error.status < 500;
}
