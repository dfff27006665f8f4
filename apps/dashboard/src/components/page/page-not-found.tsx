import { Link } from '@tanstack/react-router';
import { buttonClass, ThemeRoot } from '@tessera/ui';
import { words } from '../../words.ts';
import { EmptyState } from './empty-state.tsx';

/** A path without a page. */
export function PageNotFound() {
  return (
    <ThemeRoot>
      <main className="tss:mx-auto tss:max-w-160 tss:p-6">
        <EmptyState
          title={words.notFound.title}
          action={
            <Link to="/" className={buttonClass({ variant: 'secondary' })}>
              {words.notFound.home}
            </Link>
          }
        >
          {words.notFound.text}
        </EmptyState>
      </main>
    </ThemeRoot>
  );
}
