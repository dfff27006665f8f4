import type { Ref } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { type CodePageProps, codeOf, DeadLinkCard, useCodeOutcome } from './code-link.tsx';
import type { CodeOutcome } from './code-outcome.ts';

/** Props of `EmailVerification`. */
export type EmailVerificationProps = CodePageProps;

/** The page of the link in a verification email. Verifies on a click, so that mail scanners use up no code. */
export function EmailVerification({ fullPage, searchParams }: EmailVerificationProps) {
  const code = codeOf(searchParams);

  return (
    <PageSurface fullPage={fullPage}>
      {code ? <Verification key={code} code={code} /> : <OutcomeCard outcome="invalid" />}
    </PageSurface>
  );
}

function Verification({ code }: { code: string }) {
  const app = useApp();
  const translate = useTranslate();
  const { cancel } = useNextActions();
  const { outcome, title, use } = useCodeOutcome(() => app.verifyEmail(code));

  if (outcome !== undefined) return <OutcomeCard outcome={outcome} titleRef={title} />;
  return (
    <ActionCard
      title={translate('verifyEmail.title')}
      actions={[{ text: translate('verifyEmail.submit'), go: use }, cancel]}
      text={translate('verifyEmail.text')}
    />
  );
}

interface OutcomeCardProps {
  outcome: CodeOutcome;
  titleRef?: Ref<HTMLHeadingElement>;
}

function OutcomeCard({ outcome, titleRef }: OutcomeCardProps) {
  const translate = useTranslate();
  const { home } = useNextActions();
  if (outcome === 'invalid' || outcome === 'expired') {
    return <DeadLinkCard outcome={outcome} titleRef={titleRef} advice="verifyEmail.expired" />;
  }

  // A used code: the address is verified, which is the result that the user wants.
  return (
    <ActionCard
      title={translate('activity.factor.address_verified')}
      titleRef={titleRef}
      actions={[home]}
      text={translate('signedIn.text')}
    />
  );
}
