import type { Ref } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { withReturnAddress } from '../navigation/return-address.ts';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { ActionCard } from './action-card.tsx';

/** Shown to visitors who are already signed in. */
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

/** Shown after sign-out. */
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

/** Shown when sign-up is closed. */
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

/** Shown after a new password was set. */
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
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
}

/** Shown for an unknown error. */
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

/** Shown when a page could not load its data. A retry may help. */
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

/** The actions that leave a card. Sign-in keeps the return URL. */
export function useNextActions() {
  const { urls } = useApp();
  const goTo = useNavigateTo();

  return {
    goHome: () => goTo(urls.home),
    goToSignIn: () => goTo(withReturnAddress(urls.signIn, window.location.search)),
    goToForgotPassword: () => goTo(urls.forgotPassword),
  };
}
