import type { Ref } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { signInSettings } from '../account-settings/auth/connect-address.ts';
import { withReturnAddress } from '../navigation/return-address.ts';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { ActionCard } from './action-card.tsx';

/** Shown to visitors who are already signed in. */
export function SignedInCard({ title, titleRef }: SignedInCardProps) {
  const app = useApp();
  const translate = useTranslate();
  const { home } = useNextActions();
  const email = useUserState().value?.primaryEmail;

  return (
    <ActionCard
      title={title ?? translate('signedIn.title')}
      titleRef={titleRef}
      actions={[home, { text: translate('action.signOut'), go: () => app.signOut() }]}
      text={email ? translate('invitation.signedInAs', { email }) : translate('signedIn.text')}
    />
  );
}

interface SignedInCardProps extends TitledCardProps {
  /** Default: that the visitor is signed in. */
  title?: string;
}

/** Shown after sign-out. */
export function SignedOutCard() {
  const translate = useTranslate();
  const { signIn } = useNextActions();

  return <ActionCard title={translate('signedOut.title')} actions={[signIn]} />;
}

/** Shown when sign-up is closed. */
export function SignUpDisabledCard() {
  const translate = useTranslate();
  const { home, signIn } = useNextActions();

  return (
    <ActionCard
      title={translate('signUpDisabled.title')}
      actions={[signIn, home]}
      text={translate('signUpDisabled.text')}
    />
  );
}

/** Shown after a new password was set. The link may be of another account than the one that is signed in. */
export function PasswordResetCard({ titleRef, isSignedIn }: PasswordResetCardProps) {
  const app = useApp();
  const translate = useTranslate();
  const title = translate('activity.factor.password_changed');
  if (isSignedIn) return <SignedInCard title={title} titleRef={titleRef} />;

  return (
    <ActionCard
      title={title}
      titleRef={titleRef}
      actions={[{ text: translate('action.signIn'), go: () => app.redirectToSignIn({ noRedirectBack: true }) }]}
      text={translate('passwordReset.doneText')}
    />
  );
}

interface TitledCardProps {
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
}

interface PasswordResetCardProps extends TitledCardProps {
  /** Sign-in would then redirect with the session that is open. */
  isSignedIn: boolean;
}

/** Shown for an unknown error. */
export function UnknownErrorCard() {
  const translate = useTranslate();
  const { home } = useNextActions();

  return <ActionCard title={translate('unknownError.title')} actions={[home]} text={translate('unknownError.text')} />;
}

/** Shown when a page could not load its data. A retry may help. */
export function FailedCard({ title, error, retry }: FailedCardProps) {
  const translate = useTranslate();

  return (
    <ActionCard
      title={title ?? translate('pageFailed.title')}
      actions={[{ text: translate('action.retry'), go: retry }]}
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
  const translate = useTranslate();
  const goTo = useNavigateTo();
  const goHome = () => goTo(urls.home);

  return {
    home: { text: translate('action.home'), go: goHome },
    cancel: { text: translate('action.cancel'), go: goHome },
    signIn: {
      text: translate('action.signIn'),
      go: () => goTo(withReturnAddress(urls.signIn, window.location.search)),
    },
    settings: { text: translate('settings.title'), go: () => goTo(signInSettings(urls.accountSettings)) },
    requestReset: { text: translate('passwordReset.request'), go: () => goTo(urls.forgotPassword) },
  };
}
