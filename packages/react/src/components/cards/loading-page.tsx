import { Spinner } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';
import { PageSurface } from './surface.tsx';
import { useOverdue } from './use-overdue.ts';

/** Props of `LoadingPage`. */
export interface LoadingPageProps {
  /** Centres the spinner in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** What `TesseraBoundary` shows while its children wait. */
export function LoadingPage({ fullPage }: LoadingPageProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <Waiting />
    </PageSurface>
  );
}

/** A spinner that is gone at once would only flicker. */
const spinnerAfterMs = 300;

/** When the page says that the server is slow. */
const longAfterMs = 4000;

function Waiting() {
  const translate = useTranslate();
  const isVisible = useOverdue(true, spinnerAfterMs);
  const isLong = useOverdue(true, longAfterMs);

  return (
    <div className="tss:grid tss:place-items-center tss:gap-3 tss:py-6" aria-busy>
      {isVisible && <Spinner size={28} label={translate('page.loading')} />}
      <p role="status" className="tss:text-sm tss:text-muted-foreground">
        {isLong && translate('auth.late')}
      </p>
    </div>
  );
}
