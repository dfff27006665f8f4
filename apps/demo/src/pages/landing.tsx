import './landing.css';
import { useUser } from '@tessera/react';
import { Suspense } from 'react';
import { Link } from '../router.tsx';

/** The public page. */
export function Landing() {
  return (
    <main>
      <section className="hero">
        <h1>Remember what you meant to read.</h1>
        <p>
          Someone recommends a book over dinner. By morning it is gone. Shelfmark keeps it, together with who told you
          and why, until you have the evening for it.
        </p>
        <div className="actions">
          <Suspense fallback={<span className="button placeholder" />}>
            <Invitation />
          </Suspense>
        </div>
      </section>
      <section className="points" aria-label="What you get">
        <Point title="One line to add">
          A title is enough. Add a link and a word about where it came from, if you like.
        </Point>
        <Point title="Three places, no more">
          To read, reading, finished. No stars, no feeds, no yearly goals that make you feel late.
        </Point>
        <Point title="Yours alone">Your shelf is stored with your account and never shown to anyone else.</Point>
      </section>
      <footer className="footer">
        Shelfmark is a sample product that shows Tessera at work.{' '}
        <Link href="/project-settings">Change the settings of its project</Link>
      </footer>
    </main>
  );
}

function Invitation() {
  const user = useUser();
  if (user) {
    return (
      <Link href="/shelf" className="button">
        Open your shelf
      </Link>
    );
  }

  return (
    <>
      <Link href="/handler/sign-up" className="button">
        Start your shelf
      </Link>
      <Link href="/handler/sign-in" className="button outline">
        Sign in
      </Link>
    </>
  );
}

function Point({ title, children }: { title: string; children: string }) {
  return (
    <article>
      <h2>{title}</h2>
      <p>{children}</p>
    </article>
  );
}
