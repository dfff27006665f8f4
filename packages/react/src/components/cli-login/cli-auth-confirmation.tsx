import { type CurrentUser, internals, RequestError } from '@tessera/client';
import { FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
import { useFocusedTitle } from '../codes/code-link.tsx';
import { useRequiredUser } from '../navigation/use-required-user.ts';

/** Props of `CliAuthConfirmation`. */
export interface CliAuthConfirmationProps {
  /** Centres the page in the window. Default true. */
  fullPage?: boolean | undefined;
}

/** The page on which a user authorises a command-line sign-in. */
export function CliAuthConfirmation({ fullPage = true }: CliAuthConfirmationProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <ForUser />
    </PageSurface>
  );
}

function ForUser() {
  const user = useRequiredUser();
  return user.value ? <Confirmation user={user.value} /> : <LoadingCard of={[user]} />;
}

type Step = { is: 'question' } | { is: 'done' } | { is: 'declined' } | { is: 'failed'; because: string };

function Confirmation({ user }: { user: CurrentUser }) {
  const app = useApp();
  const translate = useTranslate();
  const [step, setStep] = useState<Step>({ is: 'question' });
  const title = useFocusedTitle(step.is !== 'question');

  async function send(path: string, body: object) {
    const answer = await app[internals].sendRequest(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // A response that is not read counts as aborted.
    await answer.arrayBuffer();
  }

  async function authorize() {
    const loginCode = readLoginCode();
    if (!loginCode) return setStep({ is: 'failed', because: translate('cli.noCode') });

    try {
      const { refreshToken } = await user.currentSession.getTokens();
      if (refreshToken === null) return setStep({ is: 'failed', because: translate('cli.noSession') });
      await send('/auth/cli/complete', { login_code: loginCode, refresh_token: refreshToken });
      setStep({ is: 'done' });
    } catch (error) {
      setStep({ is: 'failed', because: isRefusal(error) ? translate('cli.refused') : errorWords(error, translate) });
    }
  }

  const close = () => window.close();

  async function decline() {
    const loginCode = readLoginCode();
    // Without the answer the program waits until the login expires, and is not signed in either.
    if (loginCode) await send('/extensions/cli-logins/decline', { login_code: loginCode }).catch(() => undefined);
    // A browser often refuses to close a window that the user opened, so the page says what happened.
    setStep({ is: 'declined' });
  }

  if (step.is === 'done') {
    return (
      <ActionCard
        title={translate('cli.done')}
        titleRef={title}
        actions={[{ text: translate('action.close'), go: close }]}
        text={translate('cli.doneText')}
      />
    );
  }
  if (step.is === 'declined') {
    return (
      <ActionCard
        title={translate('cli.declined')}
        titleRef={title}
        actions={[{ text: translate('action.close'), go: close }]}
        text={translate('cli.declinedText')}
      />
    );
  }
  if (step.is === 'failed') {
    return (
      <ActionCard
        title={translate('cli.failed')}
        titleRef={title}
        actions={[
          { text: translate('action.retry'), go: () => setStep({ is: 'question' }) },
          { text: translate('action.cancel'), go: decline },
        ]}
      >
        <p className="tss:text-destructive">{step.because}</p>
      </ActionCard>
    );
  }
  return (
    <ActionCard
      title={translate('cli.title')}
      actions={[
        { text: translate('cli.authorize'), go: authorize },
        { text: translate('action.cancel'), go: decline },
      ]}
    >
      <p className="tss:text-pretty">
        {translate('cli.text', { name: user.primaryEmail ?? user.displayName ?? user.id })}
      </p>
      <FormSummary role="note" title={translate('cli.warning')} />
    </ActionCard>
  );
}

function readLoginCode(): string | null {
  return new URLSearchParams(window.location.search).get('login_code');
}

/** The server knows no such login, or it is completed or expired: a sentence without a code. */
function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status !== undefined && error.status < 500;
}
