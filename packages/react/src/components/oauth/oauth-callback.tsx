import { isKnownError } from '@tessera/client/internals';
import { buttonClass } from '@tessera/ui';
import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useOnce } from '../../hooks/use-once.ts';
import { completeProvider } from '../../sign-in/last-used.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { useOverdue } from '../cards/use-overdue.ts';
import { WaitingCard } from '../cards/waiting-card.tsx';

/** Props of `OAuthCallback`. */
export interface OAuthCallbackProps {
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** After this time the page offers a way out. */
const patienceMs = 3000;

/** The page that a provider redirects to. Completes the sign-in, and redirects (control 58: errors are escaped). */
export function OAuthCallback({ fullPage }: OAuthCallbackProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <Completion />
    </PageSurface>
  );
}

function Completion() {
  const app = useApp();
  const translate = useTranslate();
  const { home, signIn } = useNextActions();
  const [failure, setFailure] = useState<{ error: unknown }>();
  const isLate = useOverdue(failure === undefined, patienceMs);

  useOnce(true, () => {
    complete().catch((error: unknown) => setFailure({ error }));
  });

  async function complete() {
    const wasLedOn = await completeProvider(() => app.callOAuthCallback());
    // The URL was opened directly, or the page was reloaded: there is nothing to complete.
    if (!wasLedOn) await app.redirectToSignIn({ noRedirectBack: true, replace: true });
  }

  if (failure !== undefined) {
    return (
      <ActionCard title={translate('oauthCallback.failed')} actions={[signIn, home]}>
        <p role="alert" className="tss:text-pretty">
          {errorWords(failure.error, translate)}
        </p>
        <p className="tss:text-pretty">{translate('oauthCallback.report')}</p>
        <pre
          dir="ltr"
          className="tss:max-h-48 tss:overflow-auto tss:rounded-md tss:bg-muted tss:p-3 tss:font-mono tss:text-xs tss:whitespace-pre-wrap tss:wrap-anywhere"
        >
          {errorDetails(failure.error)}
        </pre>
      </ActionCard>
    );
  }
  return (
    <WaitingCard label="oauthCallback.working">
      {isLate && (
        <p role="status" className="tss:text-pretty">
          {translate('auth.late')}{' '}
          <a href={app.urls.home} className={buttonClass({ variant: 'link' })}>
            {translate('action.home')}
          </a>
        </p>
      )}
    </WaitingCard>
  );
}

/** Long enough for a bug report; providers send texts of any length. */
const mostCharacters = 800;

function errorDetails(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const known = isKnownError(error) ? { code: error.errorCode, details: error.details } : {};
  return JSON.stringify({ name, message, ...known }, null, 2).slice(0, mostCharacters);
}
