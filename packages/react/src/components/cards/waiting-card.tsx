import { Card, Spinner } from '@tessera/ui';
import type { ReactNode } from 'react';
import type { ReadState } from '../../hooks/reader.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { WordKey } from '../../words/words.ts';
import { FailedCard } from './predefined-cards.tsx';

interface WaitingCardProps {
  /** Default: that the page is loading. */
  label?: WordKey | undefined;
  /** Below the spinner. */
  children?: ReactNode;
}

/** Shown while a request is pending. */
export function WaitingCard({ label = 'page.loading', children }: WaitingCardProps) {
  const translate = useTranslate();

  return (
    <Card className="tss:place-items-center tss:text-center" aria-busy>
      <Spinner size={28} label={translate(label)} />
      {children}
    </Card>
  );
}

interface LoadingCardProps extends Pick<WaitingCardProps, 'label'> {
  /** What the page reads. */
  of: readonly Pick<ReadState<unknown>, 'error' | 'retry'>[];
}

/** Shown in the place of values that are not loaded yet, or that could not be loaded. */
export function LoadingCard({ of, label }: LoadingCardProps) {
  const failed = of.find(({ error }) => error !== undefined);
  const retry = async () => void (await Promise.all(of.map(reading => reading.retry())));
  return failed ? <FailedCard error={failed.error} retry={retry} /> : <WaitingCard label={label} />;
}
