import { RequestError } from '@tessera/client';
import { Card, Spinner } from '@tessera/ui';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useTranslate } from '../../words/translate.tsx';
import type { WordKey } from '../../words/words.ts';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard, useNextActions } from '../cards/predefined-cards.tsx';
import type { CodeOutcome } from './code-outcome.ts';

/** What the pages that a mail leads to take. */
export interface CodePageProps {
  /** What the link carries: `code`. Default: the window's query. */
  searchParams?: Readonly<Record<string, string>> | undefined;
  /** Centres the page in the window. Default: it stands inline. */
  fullPage?: boolean | undefined;
}

/** The code that a link carries, or undefined. */
export function codeOf(searchParams: CodePageProps['searchParams']): string | undefined {
  return new URLSearchParams(searchParams ?? window.location.search).get('code') || undefined;
}

interface OutcomeCardProps {
  outcome: Exclude<CodeOutcome, 'ok'>;
  /** What to do now, where the link was right once. */
  advice: WordKey;
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  /** A better way on than the home page. */
  action?: { text: string; go: () => void } | undefined;
}

/** When a link leads nowhere: not one of ours, too old, or followed before. */
export function DeadLinkCard({ outcome, advice, titleRef, action }: OutcomeCardProps) {
  const translate = useTranslate();
  const { goHome } = useNextActions();
  const home = { text: translate('action.home'), go: goHome };
  const primary = action ?? home;
  const secondary = action && home;

  return (
    <ActionCard
      title={translate(deadLinkTitles[outcome])}
      titleRef={titleRef}
      primaryButtonText={primary.text}
      primaryAction={primary.go}
      secondaryButtonText={secondary?.text}
      secondaryAction={secondary?.go}
    >
      <p className="tss:text-pretty">{translate(outcome === 'invalid' ? 'linkInvalid.text' : advice)}</p>
    </ActionCard>
  );
}

const deadLinkTitles: Record<OutcomeCardProps['outcome'], WordKey> = {
  invalid: 'linkInvalid.title',
  expired: 'linkExpired.title',
  used: 'linkUsed.title',
};

/** The heading of a card that takes the place of another: the focus goes there, so that it is read. */
export function useFocusedTitle(isNew: boolean): Ref<HTMLHeadingElement> {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  return title;
}

interface CheckedProps {
  /** Asks the server about the code, which it does not use up. */
  check: () => Promise<CodeOutcome>;
  children: (outcome: CodeOutcome) => ReactNode;
}

/** Asks about a code once, and shows what to show for the answer. Give it the code as its key. */
export function CheckedCode({ check, children }: CheckedProps) {
  const [outcome, setOutcome] = useState<CodeOutcome>();
  const [failure, setFailure] = useState<unknown>();
  const hasStarted = useRef(false);

  async function ask() {
    try {
      setOutcome(await check());
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
    }
  }

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void ask();
  });

  if (failure instanceof RequestError) return <FailedCard error={failure} retry={ask} />;
  // While rendering, so that it reaches the error boundary.
  if (failure !== undefined) throw failure;
  return outcome === undefined ? <WaitingCard label="code.checkingLink" /> : children(outcome);
}

/** While something is on its way. */
export function WaitingCard({ label }: { label: WordKey }) {
  const translate = useTranslate();

  return (
    <Card className="tss:place-items-center" aria-busy>
      <Spinner size={28} label={translate(label)} />
    </Card>
  );
}
