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

type Outcome = 'done' | 'declined' | { failedBecause: string };

function Confirmation({ user }: { user: CurrentUser }) {
  const app = useApp();
  const translate = useTranslate();
  const [outcome, setOutcome] = useState<Outcome>();
  const title = useFocusedTitle(outcome !== undefined);
  const loginCode = new URLSearchParams(window.location.search).get('login_code');

  async function send(path: string, body: object) {
    const answer = await app[internals].sendRequest(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // A response that is not read counts as aborted.
    await answer.arrayBuffer();
  }

  /** Returns why the program is not signed in. */
  async function passSession(): Promise<string | undefined> {
    // A page around this one could lead the click here, and its program would get the session.
    if (window !== window.top) return translate('oauth.framed', { name: 'CLI' });
    if (!loginCode) return translate('cli.noCode');

    try {
      const { refreshToken } = await user.currentSession.getTokens();
      if (refreshToken === null) return translate('cli.noSession');
      await send('/auth/cli/complete', { login_code: loginCode, refresh_token: refreshToken });
    } catch (error) {
      return isRefusal(error) ? translate('cli.refused') : errorWords(error, translate);
    }
  }

  async function authorize() {
    const failedBecause = await passSession();
    setOutcome(failedBecause ? { failedBecause } : 'done');
  }

  async function decline() {
    // Without the answer the program waits until the login expires, and is not signed in either.
    if (loginCode) await send('/extensions/cli-logins/decline', { login_code: loginCode }).catch(() => undefined);
    // A browser often refuses to close a window that the user opened, so the page says what happened.
    setOutcome('declined');
  }

  if (typeof outcome === 'string') {
    return (
      <ActionCard
        title={translate(`cli.${outcome}`)}
        titleRef={title}
        actions={[{ text: translate('action.close'), go: () => window.close() }]}
        text={translate(`cli.${outcome}Text`)}
      />
    );
  }
  if (outcome) {
    return (
      <ActionCard
        title={translate('cli.failed')}
        titleRef={title}
        actions={[
          { text: translate('action.retry'), go: () => setOutcome(undefined) },
          { text: translate('action.cancel'), go: decline },
        ]}
      >
        <p className="tss:text-destructive">{outcome.failedBecause}</p>
      </ActionCard>
    );
  }
  return (
    <ActionCard
      title={translate('cli.title')}
      text={translate('cli.text', { name: user.primaryEmail ?? user.displayName ?? user.id })}
      actions={[
        { text: translate('cli.authorize'), go: authorize },
        { text: translate('action.cancel'), go: decline },
      ]}
    >
      <FormSummary role="note" title={translate('cli.warning')} />
    </ActionCard>
  );
}

/** The server knows no such login, or it is completed or expired: a sentence without a code. */
function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && (error.status ?? 500) < 500;
}
