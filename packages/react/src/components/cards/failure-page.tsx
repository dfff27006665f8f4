import type { ErrorFallbackProps } from '../../guards/error-boundary.tsx';
import { FailedCard } from './predefined-cards.tsx';
import { PageSurface } from './surface.tsx';

/** The card that `TesseraErrorBoundary` shows. */
export function FailurePage({ error, refetch }: ErrorFallbackProps) {
  return (
    <PageSurface>
      <FailedCard error={error} retry={async () => refetch()} />
    </PageSurface>
  );
}
