import { useRef } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { signInBy } from '../../sign-in/last-used.ts';
import { mailedCode } from '../../sign-in/mailed-code.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { SignedInCard, useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
import { type CodePageProps, codeOf, DeadLinkCard, useCodeOutcome } from './code-link.tsx';

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
  const { cancel, signIn } = useNextActions();
  const hasClicked = useRef(false);
  const { outcome, title, use } = useCodeOutcome(() => {
    hasClicked.current = true;
    // A sign-in page of this tab would still wait for the code of this email after a sign-out.
    mailedCode(app.projectId).clear();
    return signInBy('magic-link', () => app.signInWithMagicLink(code ?? ''));
  });

  // The client redirects after this sign-in; no other card is shown meanwhile.
  if (outcome === 'ok' || (user.value && !hasClicked.current)) return <SignedInCard titleRef={title} />;
  if (code === undefined) return <DeadLinkCard outcome="invalid" />;
  if (user.value === undefined) return <LoadingCard of={[user]} />;

  if (outcome !== undefined) {
    return <DeadLinkCard outcome={outcome} titleRef={title} action={signIn} />;
  }

  return (
    <ActionCard
      title={translate('magicLink.question')}
      actions={[{ ...signIn, go: use }, cancel]}
      text={translate('magicLink.questionText')}
    />
  );
}
