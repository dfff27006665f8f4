import { useSay } from '../../words/say.tsx';
import { ActionCard } from './action-card.tsx';
import { errorView } from './error-view.ts';
import { UnknownErrorCard, useWaysOn } from './predefined-cards.tsx';
import { PageSurface } from './surface.tsx';

/** Props of `ErrorPage`. */
export interface ErrorPageProps {
  /** What the page is about: `errorCode`, `message`, `details`. Default: the window's query. */
  searchParams?: Readonly<Record<string, string>> | undefined;
  /** Centres the page in the window. Default: it stands inline. */
  fullPage?: boolean | undefined;
}

/** The page for errors that arrive as a redirect. */
export function ErrorPage({ fullPage, searchParams }: ErrorPageProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <ErrorContent query={new URLSearchParams(searchParams ?? window.location.search)} />
    </PageSurface>
  );
}

function ErrorContent({ query }: { query: URLSearchParams }) {
  const say = useSay();
  const { goHome, goToSignIn } = useWaysOn();
  const view = errorView(query, say);
  if (view === undefined) return <UnknownErrorCard />;

  const home = { text: say('action.home'), action: goHome };
  const signIn = { text: say('action.signIn'), action: goToSignIn };
  const [primary, secondary] = view.hasSignIn ? [signIn, home] : [home, undefined];

  return (
    <ActionCard
      title={view.title}
      primaryButtonText={primary.text}
      primaryAction={primary.action}
      secondaryButtonText={secondary?.text}
      secondaryAction={secondary?.action}
    >
      <p className="tss:text-pretty">{view.text}</p>
      {view.code && <ErrorCode code={view.code} />}
    </ActionCard>
  );
}

function ErrorCode({ code }: { code: string }) {
  const say = useSay();

  return (
    <p className="tss:text-sm">
      {say('errorPage.code')}:{' '}
      <code dir="ltr" className="tss:select-all tss:font-mono tss:wrap-anywhere">
        {code}
      </code>
    </p>
  );
}
