import type { Ref } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useSay } from '../../words/say.tsx';
import { withReturnAddress } from '../navigation/return-address.ts';
import { useGoTo } from '../navigation/use-go-to.ts';
import { ActionCard } from './action-card.tsx';

/** For those who are signed in already. */
export function SignedInCard() {
  const app = useApp();
  const say = useSay();
  const { goHome } = useWaysOn();

  return (
    <ActionCard
      title={say('signedIn.title')}
      primaryButtonText={say('action.home')}
      primaryAction={goHome}
      secondaryButtonText={say('action.signOut')}
      secondaryAction={() => app.signOut()}
    >
      <p className="tss:text-pretty">{say('signedIn.text')}</p>
    </ActionCard>
  );
}

/** After signing out. */
export function SignedOutCard() {
  const say = useSay();
  const { goToSignIn } = useWaysOn();

  return (
    <ActionCard title={say('signedOut.title')} primaryButtonText={say('action.signIn')} primaryAction={goToSignIn}>
      <p className="tss:text-pretty">{say('signedOut.text')}</p>
    </ActionCard>
  );
}

/** Where the project takes no new accounts. */
export function SignUpDisabledCard() {
  const say = useSay();
  const { goHome, goToSignIn } = useWaysOn();

  return (
    <ActionCard
      title={say('signUpDisabled.title')}
      primaryButtonText={say('action.signIn')}
      primaryAction={goToSignIn}
      secondaryButtonText={say('action.home')}
      secondaryAction={goHome}
    >
      <p className="tss:text-pretty">{say('signUpDisabled.text')}</p>
    </ActionCard>
  );
}

/** After a request for a mail. Says nothing of whether there is such an account. */
export function EmailSentCard({ titleRef }: TitledCardProps) {
  const say = useSay();
  const { goHome } = useWaysOn();

  return (
    <ActionCard
      title={say('emailSent.title')}
      titleRef={titleRef}
      primaryButtonText={say('action.home')}
      primaryAction={goHome}
    >
      <p className="tss:text-pretty">{say('emailSent.text')}</p>
    </ActionCard>
  );
}

/** After choosing a new password. */
export function PasswordResetCard({ titleRef }: TitledCardProps) {
  const app = useApp();
  const say = useSay();

  return (
    <ActionCard
      title={say('passwordReset.done')}
      titleRef={titleRef}
      primaryButtonText={say('action.signIn')}
      primaryAction={() => app.redirectToSignIn({ noRedirectBack: true })}
    >
      <p className="tss:text-pretty">{say('passwordReset.doneText')}</p>
    </ActionCard>
  );
}

interface TitledCardProps {
  /** For moving the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
}

/** When nobody can say what is wrong. */
export function UnknownErrorCard({ titleRef }: TitledCardProps) {
  const say = useSay();
  const { goHome } = useWaysOn();

  return (
    <ActionCard
      title={say('unknownError.title')}
      titleRef={titleRef}
      primaryButtonText={say('action.home')}
      primaryAction={goHome}
    >
      <p className="tss:text-pretty">{say('unknownError.text')}</p>
    </ActionCard>
  );
}

/** When a page could not load what it needs; trying again may help. */
export function FailedCard({ title, error, retry }: FailedCardProps) {
  const say = useSay();

  return (
    <ActionCard title={title ?? say('pageFailed.title')} primaryButtonText={say('action.retry')} primaryAction={retry}>
      <p role="alert" className="tss:text-pretty">
        {errorWords(error, say)}
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
export function useWaysOn() {
  const { urls } = useApp();
  const goTo = useGoTo();

  return {
    goHome: () => goTo(urls.home),
    goToSignIn: () => goTo(withReturnAddress(urls.signIn, window.location.search)),
    goToForgotPassword: () => goTo(urls.forgotPassword),
  };
}
