import { useUserState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { accountConflict } from './account-conflict.ts';
import { AccountConflictCard } from './account-conflict-card.tsx';
import { ActionCard } from './action-card.tsx';
import { errorView, traceIdIn } from './error-view.ts';
import { UnknownErrorCard, useNextActions } from './predefined-cards.tsx';
import { PageSurface } from './surface.tsx';

/** Props of `ErrorPage`. */
export interface ErrorPageProps {
  /** `errorCode`, `message`, `details` and `trace_id` of the error. Default: the query of the window. */
  searchParams?: Readonly<Record<string, string>> | undefined;
  /** Centres the page in the window. Default: inline. */
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
  const translate = useTranslate();
  const { home, signIn, settings } = useNextActions();
  const user = useUserState();
  const conflict = accountConflict(query, translate);
  const view = errorView(query, translate);
  const traceId = traceIdIn(query);
  if (conflict !== undefined) return <AccountConflictCard conflict={conflict} />;
  if (view === undefined) return <UnknownErrorCard />;

  // A signed-in user was connecting the provider in the account settings.
  const isConnecting = user.value && query.has('provider');
  const next = isConnecting ? settings : view.hasSignIn && signIn;

  return (
    <ActionCard
      title={isConnecting && view.hasSignIn ? translate('accounts.notConnected') : view.title}
      text={view.text}
      actions={next ? [next, home] : [home]}
    >
      {view.code && <Code name={translate('errorPage.code')} value={view.code} />}
      {!view.hasSignIn && traceId !== undefined && <Code name={translate('error.traceId')} value={traceId} />}
    </ActionCard>
  );
}

/** For support: selected with one click. */
function Code({ name, value }: { name: string; value: string }) {
  return (
    <p className="tss:text-sm">
      {name}:{' '}
      <code dir="ltr" className="tss:select-all tss:font-mono tss:wrap-anywhere">
        {value}
      </code>
    </p>
  );
}
