import { TesseraBoundary, TesseraHandler } from '@tessera/react';
import { type ReactNode, useEffect } from 'react';
import { Header } from './header.tsx';
import { Account } from './pages/account.tsx';
import { Landing } from './pages/landing.tsx';
import { NotFound } from './pages/not-found.tsx';
import { ProjectSettings } from './pages/project-settings.tsx';
import { Shelf } from './pages/shelf.tsx';
import { replacePage, usePath } from './router.tsx';

/** The header, and the page for the address. */
export function App() {
  const path = usePath();
  const { title, page } = pageAt(path);
  const fullTitle = titleOf(title);

  useEffect(() => {
    document.title = fullTitle;
    return path.startsWith('/handler/') ? followHeading(fullTitle) : undefined;
  }, [path, fullTitle]);

  return (
    <>
      <Header path={path} />
      <TesseraBoundary key={path} fullPage>
        {page}
      </TesseraBoundary>
      {/* Screen readers say the title of the window after a page load, but not after a navigation without one. */}
      <p role="status" className="visually-hidden">
        {fullTitle}
      </p>
    </>
  );
}

function titleOf(name: string): string {
  return name ? `${name} · Shelfmark` : 'Shelfmark';
}

/**
 * A page of Tessera has several states, e.g. a link that has expired, and a language. Its heading names them.
 *
 * @param fallback is the title of a page without a heading
 * @returns stops the observation
 */
function followHeading(fallback: string): () => void {
  const update = () => {
    const heading = document.querySelector('h1')?.textContent;
    const title = heading ? titleOf(heading) : fallback;
    // A title that is written again would be observed by screen readers as a change.
    if (document.title !== title) document.title = title;
  };
  update();
  const observer = new MutationObserver(update);
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  return () => observer.disconnect();
}

/** A password needs no email, so it is the quickest way to try the demo. */
const componentProps = { SignIn: { firstTab: 'password' }, SignUp: { firstTab: 'password' } } as const;

const handlerTitles: Record<string, string> = {
  '/handler/sign-in': 'Sign in',
  '/handler/sign-up': 'Create your account',
  '/handler/sign-out': 'Signed out',
  '/handler/email-verification': 'Verify your email',
  '/handler/forgot-password': 'Forgot your password',
  '/handler/password-reset': 'Choose a new password',
  '/handler/magic-link-callback': 'Sign in',
  '/handler/oauth-callback': 'Signing you in',
  '/handler/mfa': 'Two-step verification',
  '/handler/team-invitation': 'Join a team',
  '/handler/cli-auth-confirm': 'Authorize command-line sign-in',
  '/handler/account-settings': 'Account settings',
};

function pageAt(path: string): { title: string; page: ReactNode } {
  if (path.startsWith('/handler/')) {
    return {
      title: handlerTitles[path] ?? 'Account',
      page: <TesseraHandler location={path} navigate={replacePage} componentProps={componentProps} fullPage />,
    };
  }
  switch (path) {
    case '/':
      return { title: '', page: <Landing /> };
    case '/shelf':
      return { title: 'Your shelf', page: <Shelf /> };
    case '/account':
      return { title: 'Your account', page: <Account /> };
    case '/project-settings':
      return { title: 'Project settings', page: <ProjectSettings /> };
    default:
      return { title: 'Page not found', page: <NotFound /> };
  }
}
