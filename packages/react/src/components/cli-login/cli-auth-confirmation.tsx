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
import { isInFrame } from '../oauth/browser-kind.ts';

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

/** The ends of the page: title and text. None of them can be tried again. */
const ends = {
  done: ['cli.done', 'signedIn.text'],
  declined: ['cli.declined', 'cli.declinedText'],
  noCode: ['linkInvalid.title', 'cli.noCode'],
  refused: ['linkInvalid.title', 'cli.refused'],
} as const;

type End = keyof typeof ends;

function Confirmation({ user }: { user: CurrentUser }) {
  const app = useApp();
  const translate = useTranslate();
  const loginCode = new URLSearchParams(window.location.search).get('login_code');
  const [outcome, setOutcome] = useState<End | { failedBecause: string } | undefined>(loginCode ? undefined : 'noCode');
  const title = useFocusedTitle(outcome !== undefined);

  async function send(path: string, body: object) {
    const answer = await app[internals].sendRequest(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // A response that is not read counts as aborted.
    await answer.arrayBuffer();
  }

  async function passSession(): Promise<End | { failedBecause: string }> {
    // A page around this one could lead the click here, and its program would get the session.
    if (isInFrame()) return { failedBecause: translate('oauth.framed', { name: 'CLI' }) };

    try {
      const { refreshToken } = await user.currentSession.getTokens();
      if (refreshToken === null) return { failedBecause: translate('cli.noSession') };
      await send('/auth/cli/complete', { login_code: loginCode, refresh_token: refreshToken });
      return 'done';
    } catch (error) {
      return isRefusal(error) ? 'refused' : { failedBecause: errorWords(error, translate) };
    }
  }

  async function decline() {
    // Without the answer the program waits until the login expires, and is not signed in either.
    await send('/extensions/cli-logins/decline', { login_code: loginCode }).catch(() => undefined);
    // A browser often refuses to close a window that the user opened, so the page says what happened.
    setOutcome('declined');
  }

  if (typeof outcome === 'string') {
    const [heading, text] = ends[outcome];
    return (
      <ActionCard
        title={translate(heading)}
        titleRef={title}
        actions={[{ text: translate('action.close'), go: () => window.close() }]}
        text={translate(text)}
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
        { text: translate('cli.authorize'), go: async () => setOutcome(await passSession()) },
        { text: translate('action.cancel'), go: decline },
      ]}
    >
      <FormSummary role="note" title={translate('cli.warning')} />
    </ActionCard>
  );
}

/** The server knows no such login, or it is completed or expired: a sentence without a code. */
function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status === 400;
}
