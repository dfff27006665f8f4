import { type ReactNode, Suspense } from 'react';
import { isHookFailure } from '../hooks/reader.ts';
import { FailurePage, LoadingPage } from '../lazy/parts.tsx';
import { TesseraErrorBoundary, type TesseraErrorBoundaryProps } from './error-boundary.tsx';

/** Props of `TesseraBoundary`. */
export interface TesseraBoundaryProps extends TesseraErrorBoundaryProps {
  /** Shown while the children wait for a value. Default: a spinner. */
  loading?: ReactNode;
  /** Centres spinner and card in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/**
 * Shows a spinner while hooks below it load, and a card that tries again when they cannot reach the server. Other errors,
 * such as those of your own code, reach the error boundary above.
 *
 * @example
 * <TesseraProvider app={app}>
 *   <TesseraBoundary fullPage>
 *     <Routes />
 *   </TesseraBoundary>
 * </TesseraProvider>
 */
export function TesseraBoundary({ loading, fullPage, fallback, children, ...props }: TesseraBoundaryProps) {
  return (
    <TesseraErrorBoundary
      {...props}
      fallback={failure => {
        // Thrown while the boundary renders: React passes it to the boundary above.
        if (!isHookFailure(failure.error)) throw failure.error;
        if (typeof fallback === 'function') return fallback(failure);
        return fallback === undefined ? <FailurePage {...failure} fullPage={fullPage} /> : fallback;
      }}
    >
      <Suspense fallback={loading === undefined ? <LoadingPage fullPage={fullPage} /> : loading}>{children}</Suspense>
    </TesseraErrorBoundary>
  );
}
