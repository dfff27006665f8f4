import type { ErrorFallbackProps } from '../../guards/error-fallback.ts';
import { FailedCard } from './predefined-cards.tsx';
import { PageSurface } from './surface.tsx';

/** Props of `FailurePage`. */
export interface FailurePageProps extends ErrorFallbackProps {
  /** Centres the card in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** The card that `TesseraErrorBoundary` shows. */
export function FailurePage({ error, refetch, fullPage }: FailurePageProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <FailedCard error={error} retry={async () => refetch()} />
    </PageSurface>
  );
}
