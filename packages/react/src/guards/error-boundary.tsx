import { Component, type ReactNode } from 'react';
import { refetch } from '../hooks/reader.ts';
import { FailurePage } from '../lazy/parts.tsx';
import type { ErrorFallbackProps } from './error-fallback.ts';

/** Props of `TesseraErrorBoundary`. */
export interface TesseraErrorBoundaryProps {
  /** Shown in the place of the children after an error. Default: a card with the reason and a button that tries again. */
  fallback?: ReactNode | ((props: ErrorFallbackProps) => ReactNode);
  /** Called with each error, e.g. for your error tracking. */
  onError?: ((error: unknown) => void) | undefined;
  children?: ReactNode;
}

interface State {
  readonly caught: { readonly error: unknown } | undefined;
}

/**
 * Shows a fallback when a hook or a component below it fails. Its button reads failed values again.
 *
 * @example
 * <TesseraErrorBoundary fallback={({ refetch }) => <button onClick={refetch}>Try again</button>}>
 *   <Teams />
 * </TesseraErrorBoundary>
 */
// React has error boundaries for class components only.
export class TesseraErrorBoundary extends Component<TesseraErrorBoundaryProps, State> {
  override readonly state: State = { caught: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  readonly #refetch = (): void => {
    refetch(this.state.caught?.error);
    this.setState({ caught: undefined });
  };

  override render(): ReactNode {
    const { caught } = this.state;
    const { fallback, children } = this.props;
    if (caught === undefined) return children;
    const props = { error: caught.error, refetch: this.#refetch };
    if (typeof fallback === 'function') return fallback(props);
    return fallback === undefined ? <FailurePage {...props} /> : fallback;
  }
}
