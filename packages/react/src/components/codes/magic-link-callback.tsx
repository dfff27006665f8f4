import { RequestError } from '@tessera/client';
import { useRef, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { signInBy } from '../../sign-in/last-used.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard, SignedInCard, useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { type CodePageProps, codeOf, DeadLinkCard, useFocusedTitle, WaitingCard } from './code-link.tsx';
import { type CodeOutcome, outcomeOf } from './code-outcome.ts';

/** Props of `MagicLinkCallback`. */
export type MagicLinkCallbackProps = CodePageProps;

/** The page of the link in a sign-in email. Signs in on a click, so that mail scanners use up no code. */
export function MagicLinkCallback({ fullPage, searchParams }: MagicLinkCallbackProps) {
  const code = codeOf(searchParams);

  return (
    <PageSurface fullPage={fullPage}>
      <MagicLink key={code} code={code} />
    </PageSurface>
  );
}

function MagicLink({ code }: { code: string | undefined }) {
  const app = useApp();
  const translate = useTranslate();
  const user = useUserState();
  const { home, cancel, signIn } = useNextActions();
  const [outcome, setOutcome] = useState<CodeOutcome>();
  const [failure, setFailure] = useState<unknown>();
  const hasClicked = useRef(false);
  const title = useFocusedTitle(outcome !== undefined);

  async function redeem() {
    if (code === undefined) return;
    hasClicked.current = true;
    try {
      setOutcome(await outcomeOf(signInBy('magic-link', () => app.signInWithMagicLink(code))));
    } catch (error) {
      // The card shows that the server is unreachable, and the click can be repeated.
      if (error instanceof RequestError) throw error;
      setFailure(error);
    }
  }

  // Thrown while rendering, so that it reaches the error boundary.
  if (failure !== undefined) throw failure;
  // The client redirects after this sign-in; no other card is shown meanwhile.
  if (user.value && !hasClicked.current) return <SignedInCard />;
  if (code === undefined) return <DeadLinkCard outcome="invalid" advice="magicLink.again" />;
  if (user.value === undefined) {
    return user.error === undefined ? (
      <WaitingCard label="page.loading" />
    ) : (
      <FailedCard error={user.error} retry={user.retry} />
    );
  }

  if (outcome === 'ok') {
    return (
      <ActionCard
        title={translate('signedIn.title')}
        titleRef={title}
        actions={[home]}
        text={translate('signedIn.text')}
      />
    );
  }
  if (outcome !== undefined) {
    return <DeadLinkCard outcome={outcome} titleRef={title} advice="magicLink.again" action={signIn} />;
  }

  return (
    <ActionCard
      title={translate('magicLink.question')}
      actions={[{ ...signIn, go: redeem }, cancel]}
      text={translate('magicLink.questionText')}
    />
  );
}
