import { Link } from '@tanstack/react-router';
import { buttonClass, ThemeRoot } from '@tessera/ui';
import { use } from 'react';
import { words } from '../../words.ts';
import { NotFound } from './not-found.tsx';
import { InShellContext } from './page-failed.tsx';

/** A path without a page. Below a project its navigation stays. */
export function PageNotFound() {
  if (use(InShellContext)) return <Missing />;
  return (
    <ThemeRoot>
      <main className="tss:mx-auto tss:max-w-160 tss:p-6">
        <Missing />
      </main>
    </ThemeRoot>
  );
}

function Missing() {
  return (
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
  );
}
