import { type KnownError, RequestError, type Result } from '@tessera/client';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { ReadState } from '../../hooks/reader.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { WordKey } from '../../words/words.ts';
import { ActionCard, type CardAction } from '../cards/action-card.tsx';
import { useNextActions } from '../cards/predefined-cards.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
import { type CodeOutcome, outcomeOf } from './code-outcome.ts';

/** Props of the pages that an email links to. */
export interface CodePageProps {
  /** The parameters of the link: `code`. Default: the query of the window. */
  searchParams?: Readonly<Record<string, string>> | undefined;
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** The query of the link. */
export function queryOf(searchParams: CodePageProps['searchParams']): URLSearchParams {
  return new URLSearchParams(searchParams ?? window.location.search);
}

/** The code of the link, or undefined. */
export function codeOf(searchParams: CodePageProps['searchParams']): string | undefined {
  return queryOf(searchParams).get('code') || undefined;
}

interface OutcomeCardProps {
  outcome: Exclude<CodeOutcome, 'ok'>;
  /** What the user can do when the link has expired or was used. Default: to request a new one at sign-in. */
  advice?: WordKey;
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  /** A better next page than the home page. */
  action?: CardAction;
}

/** Shown for a link that does not work: unknown, expired, or used. */
export function DeadLinkCard({ outcome, advice = 'magicLink.again', titleRef, action }: OutcomeCardProps) {
  const translate = useTranslate();
  const { home } = useNextActions();

  return (
    <ActionCard
      title={translate(deadLinkTitles[outcome])}
      titleRef={titleRef}
      actions={action ? [action, home] : [home]}
      text={translate(outcome === 'invalid' ? 'linkInvalid.text' : advice)}
    />
  );
}

const deadLinkTitles: Record<OutcomeCardProps['outcome'], WordKey> = {
  invalid: 'linkInvalid.title',
  expired: 'linkExpired.title',
  used: 'linkUsed.title',
};

/** The heading of a card that replaces another. It receives the focus, so that screen readers announce it. */
export function useFocusedTitle(isNew: boolean): Ref<HTMLHeadingElement> {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  return title;
}

/** The use of a code on a click: its outcome, and the ref of the heading that shows it. */
export function useCodeOutcome(call: () => Promise<Result<unknown, KnownError>>) {
  const [outcome, setOutcome] = useState<CodeOutcome>();
  const [failure, setFailure] = useState<unknown>();
  const title = useFocusedTitle(outcome !== undefined);

  async function use() {
    try {
      setOutcome(await outcomeOf(call()));
    } catch (error) {
      // The card shows that the server is unreachable, and the click can be repeated.
      if (error instanceof RequestError) throw error;
      setFailure(error);
    }
  }

  // Thrown while rendering, so that it reaches the error boundary.
  if (failure !== undefined) throw failure;
  return { outcome, title, use };
}

interface CheckedProps {
  /** Checks the code on the server without using it up. */
  check: () => Promise<CodeOutcome>;
  children: (outcome: CodeOutcome) => ReactNode;
}

/** Checks a code once and renders the result. Use the code as the `key` of the component. */
export function CheckedCode({ check, children }: CheckedProps) {
  return <LinkContent reading={useLoad(check)}>{children}</LinkContent>;
}

interface LinkContentProps<Value> {
  reading: ReadState<Value>;
  children: (value: Value) => ReactNode;
}

/** What a page has read about its code, or a card in its place. */
export function LinkContent<Value>({ reading, children }: LinkContentProps<Value>) {
  const { value, error } = reading;
  if (value !== undefined) return children(value);
  // Thrown while rendering, so that it reaches the error boundary.
  if (error !== undefined && !(error instanceof RequestError)) throw error;
  return <LoadingCard of={[reading]} label="code.checkingLink" />;
}
