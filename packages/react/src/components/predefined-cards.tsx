import { useApp } from '../hooks.ts';
import { errorWords } from '../words/error-words.ts';
import { useSay } from '../words/say.tsx';
import { ActionCard } from './action-card.tsx';
import { withReturnAddress } from './return-address.ts';
import { useGoTo } from './use-go-to.ts';

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
      <p>{say('signedIn.text')}</p>
    </ActionCard>
  );
}

/** After signing out. */
export function SignedOutCard() {
  const say = useSay();
  const { goToSignIn } = useWaysOn();

  return (
    <ActionCard title={say('signedOut.title')} primaryButtonText={say('action.signIn')} primaryAction={goToSignIn}>
      <p>{say('signedOut.text')}</p>
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
      <p>{say('signUpDisabled.text')}</p>
    </ActionCard>
  );
}

/** When nobody can say what is wrong. */
export function UnknownErrorCard() {
  const say = useSay();
  const { goHome } = useWaysOn();

  return (
    <ActionCard title={say('unknownError.title')} primaryButtonText={say('action.home')} primaryAction={goHome}>
      <p>{say('unknownError.text')}</p>
    </ActionCard>
  );
}

/** When a page could not load what it needs; trying again may help. */
export function FailedCard({ title, error, retry }: FailedCardProps) {
  const say = useSay();

  return (
    <ActionCard title={title ?? say('pageFailed.title')} primaryButtonText={say('action.retry')} primaryAction={retry}>
      <p role="alert">{errorWords(error, say)}</p>
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
  };
}
