import type { Ref } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { withReturnAddress } from '../navigation/return-address.ts';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { ActionCard } from './action-card.tsx';

/** For those who are signed in already. */
export function SignedInCard() {
  const app = useApp();
  const translate = useTranslate();
  const { goHome } = useNextActions();

  return (
    <ActionCard
      title={translate('signedIn.title')}
      primaryButtonText={translate('action.home')}
      primaryAction={goHome}
      secondaryButtonText={translate('action.signOut')}
      secondaryAction={() => app.signOut()}
    >
      <p className="tss:text-pretty">{translate('signedIn.text')}</p>
    </ActionCard>
  );
}

/** After signing out. */
export function SignedOutCard() {
  const translate = useTranslate();
  const { goToSignIn } = useNextActions();

  return (
    <ActionCard
      title={translate('signedOut.title')}
      primaryButtonText={translate('action.signIn')}
      primaryAction={goToSignIn}
    >
      <p className="tss:text-pretty">{translate('signedOut.text')}</p>
    </ActionCard>
  );
}

/** Where the project takes no new accounts. */
export function SignUpDisabledCard() {
  const translate = useTranslate();
  const { goHome, goToSignIn } = useNextActions();

  return (
    <ActionCard
      title={translate('signUpDisabled.title')}
      primaryButtonText={translate('action.signIn')}
      primaryAction={goToSignIn}
      secondaryButtonText={translate('action.home')}
      secondaryAction={goHome}
    >
      <p className="tss:text-pretty">{translate('signUpDisabled.text')}</p>
    </ActionCard>
  );
}

/** After a request for a mail. Says nothing of whether there is such an account. */
export function EmailSentCard({ titleRef }: TitledCardProps) {
  const translate = useTranslate();
  const { goHome } = useNextActions();

  return (
    <ActionCard
      title={translate('emailSent.title')}
      titleRef={titleRef}
      primaryButtonText={translate('action.home')}
      primaryAction={goHome}
    >
      <p className="tss:text-pretty">{translate('emailSent.text')}</p>
    </ActionCard>
  );
}

/** After choosing a new password. */
export function PasswordResetCard({ titleRef }: TitledCardProps) {
  const app = useApp();
  const translate = useTranslate();

  return (
    <ActionCard
      title={translate('passwordReset.done')}
      titleRef={titleRef}
      primaryButtonText={translate('action.signIn')}
      primaryAction={() => app.redirectToSignIn({ noRedirectBack: true })}
    >
      <p className="tss:text-pretty">{translate('passwordReset.doneText')}</p>
    </ActionCard>
  );
}

interface TitledCardProps {
  /** For moving the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
}

/** When nobody can say what is wrong. */
export function UnknownErrorCard({ titleRef }: TitledCardProps) {
  const translate = useTranslate();
  const { goHome } = useNextActions();

  return (
    <ActionCard
      title={translate('unknownError.title')}
      titleRef={titleRef}
      primaryButtonText={translate('action.home')}
      primaryAction={goHome}
    >
      <p className="tss:text-pretty">{translate('unknownError.text')}</p>
    </ActionCard>
  );
}

/** When a page could not load what it needs; trying again may help. */
export function FailedCard({ title, error, retry }: FailedCardProps) {
  const translate = useTranslate();

  return (
    <ActionCard
      title={title ?? translate('pageFailed.title')}
      primaryButtonText={translate('action.retry')}
      primaryAction={retry}
    >
      <p role="alert" className="tss:text-pretty">
        {errorWords(error, translate)}
      </p>
    </ActionCard>
  );
}

interface FailedCardProps {
  /** Default: that the page could not be loaded. */
  title?: string;
  error: unknown;
  retry: () => Promise<void>;
}

/** The ways that lead on from a card. Sign-in keeps the page to come back to. */
export function useNextActions() {
  const { urls } = useApp();
  const goTo = useNavigateTo();

  return {
    goHome: () => goTo(urls.home),
    goToSignIn: () => goTo(withReturnAddress(urls.signIn, window.location.search)),
    goToForgotPassword: () => goTo(urls.forgotPassword),
  };
}
