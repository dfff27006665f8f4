import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
}

/** Shows that a page failed, with a button to try again. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="narrow page">
        <h1>We couldn't load your shelf</h1>
        <p role="alert">The server did not answer. Your books are safe; try again in a moment.</p>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Try again
        </button>
      </main>
    );
  }
}
