import { isKnown, RequestError } from '@tessera/client';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useApp } from '../hooks.ts';
import { useSay } from '../words/say.tsx';
import type { WordKey } from '../words/words.ts';
import { ActionCard } from './action-card.tsx';
import { useWaysOn } from './predefined-cards.tsx';
import { PageSurface } from './surface.tsx';
import { type VerificationOutcome, verificationOutcome } from './verification-outcome.ts';

/** Props of `EmailVerification`. */
export interface EmailVerificationProps {
  /** What the link carries: `code`. Default: the window's query. */
  searchParams?: Readonly<Record<string, string>> | undefined;
  /** Centres the page in the window. Default: it stands inline. */
  fullPage?: boolean | undefined;
}

/** The page that the link in a verification e-mail leads to. Verifies on a click, so that mail scanners use up no code. */
export function EmailVerification({ fullPage, searchParams }: EmailVerificationProps) {
  const code = new URLSearchParams(searchParams ?? window.location.search).get('code');

  return (
    <PageSurface fullPage={fullPage}>
      {code ? <Verification key={code} code={code} /> : <OutcomeCard outcome="invalid" />}
    </PageSurface>
  );
}

function Verification({ code }: { code: string }) {
  const app = useApp();
  const say = useSay();
  const { goHome } = useWaysOn();
  const [outcome, setOutcome] = useState<VerificationOutcome>();
  const [failure, setFailure] = useState<unknown>();
  const title = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (outcome !== undefined) title.current?.focus();
  }, [outcome]);

  async function verify() {
    try {
      setOutcome(verificationOutcome(await app.verifyEmail(code)));
    } catch (error) {
      // The card says that the server is away, and the click can be repeated.
      if (error instanceof RequestError) throw error;
      // A link that was cut short carries no code of the right length.
      if (isKnown(error, 'SCHEMA_ERROR')) return setOutcome('invalid');
      setFailure(error);
    }
  }

  // While rendering, so that it reaches the error boundary.
  if (failure !== undefined) throw failure;
  if (outcome !== undefined) return <OutcomeCard outcome={outcome} titleRef={title} />;
  return (
    <ActionCard
      title={say('verifyEmail.title')}
      primaryButtonText={say('verifyEmail.submit')}
      primaryAction={verify}
      secondaryButtonText={say('action.cancel')}
      secondaryAction={goHome}
    >
      <p>{say('verifyEmail.text')}</p>
    </ActionCard>
  );
}

interface OutcomeCardProps {
  outcome: VerificationOutcome;
  titleRef?: Ref<HTMLHeadingElement>;
}

function OutcomeCard({ outcome, titleRef }: OutcomeCardProps) {
  const say = useSay();
  const { goHome } = useWaysOn();
  const { title, text } = outcomeWords[outcome];

  return (
    <ActionCard title={say(title)} titleRef={titleRef} primaryButtonText={say('action.home')} primaryAction={goHome}>
      <p>{say(text)}</p>
    </ActionCard>
  );
}

const outcomeWords: Record<VerificationOutcome, { title: WordKey; text: WordKey }> = {
  verified: { title: 'emailVerified.title', text: 'emailVerified.text' },
  invalid: { title: 'linkInvalid.title', text: 'linkInvalid.text' },
  expired: { title: 'linkExpired.title', text: 'verifyEmail.expired' },
};
