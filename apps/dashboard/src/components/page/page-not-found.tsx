import { Link } from '@tanstack/react-router';
import { buttonClass, ThemeRoot } from '@tessera/ui';
import { words } from '../../words.ts';
import { NotFound } from './not-found.tsx';

/** A path without a page. */
export function PageNotFound() {
  return (
    <ThemeRoot>
      <main className="tss:mx-auto tss:max-w-160 tss:p-6">
        <NotFound
          title={words.notFound.title}
          action={
            <Link to="/" className={buttonClass({ variant: 'secondary' })}>
              {words.notFound.home}
            </Link>
          }
        >
          {words.notFound.text}
        </NotFound>
      </main>
    </ThemeRoot>
  );
}
