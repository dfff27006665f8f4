import { type ApiKeyScope, type ClientApp as CoreClientApp, internals, type UserJson } from '@tessera/client';
import { type ReactNode, Suspense, useContext, useEffect, useMemo } from 'react';
import type { TranslationOverrides } from '../words/words.ts';
import { withHooks } from './app-types.ts';
import { TesseraContext } from './context.ts';
import { useAppWithUser } from './known-user.ts';

/** Props of `TesseraProvider`. */
export interface TesseraProviderProps {
  /** The app of your project, with a token store. */
  app: CoreClientApp<true>;
  /**
   * The user of the request, for rendering on a server: the value of `user.toClientJson()`, or null when none is signed
   * in. Hooks then know the user at once, on the server and in the browser, without a request. Send the page with
   * `cache-control: no-store`: after a sign-out, Back would show the user of a stored page. Default: the browser reads
   * the user. When it becomes undefined, the hooks keep their user.
   */
  initialUser?: UserJson | null | undefined;
  /** Language of the pages, such as `de` or `de-AT`. Default: the `lang` of the html element, then English. */
  lang?: string | undefined;
  /** Other texts, by the original English text. A text that no page has is a `TypeError`. */
  translationOverrides?: TranslationOverrides | undefined;
  /**
   * The scopes that users can choose for a new API key; a key is then limited to at least one of them. Pass the same
   * array at each render. Default: the pages create keys without a limit.
   */
  apiKeyScopes?: readonly ApiKeyScope[] | undefined;
  /**
   * Whether the children have a Suspense boundary around them. Default true. With false the boundaries of your framework
   * decide what is shown while something loads, such as `loading.tsx` of Next.js.
   */
  suspense?: boolean | undefined;
  children?: ReactNode;
}

/**
 * Provides the app to all hooks and pages below it, and starts to read the signed-in user at once. Put it around the
 * whole application. Its Suspense boundary shows nothing, and errors of hooks pass it: put a `TesseraBoundary` inside for
 * a loading state and a way to try again. A provider inside another one of the same project, such as one with
 * `initialUser`, has its language, texts and scopes unless it names its own.
 *
 * @example
 * <TesseraProvider app={app}>
 *   <Routes />
 * </TesseraProvider>
 */
export function TesseraProvider({ initialUser, app, ...props }: TesseraProviderProps) {
  return <Provider {...props} app={useAppWithUser(app, initialUser)} />;
}

type ProviderProps = Omit<TesseraProviderProps, 'initialUser'>;

function Provider({ app, lang, translationOverrides, apiKeyScopes, suspense = true, children }: ProviderProps) {
  const outer = useContext(TesseraContext);
  const tessera = useMemo(() => {
    const inherited = outer?.app.projectId === app.projectId ? outer : undefined;
    return {
      app: withHooks(app),
      lang: lang ?? inherited?.lang,
      translationOverrides: translationOverrides ?? inherited?.translationOverrides,
      apiKeyScopes: apiKeyScopes ?? inherited?.apiKeyScopes,
    };
  }, [app, lang, translationOverrides, apiKeyScopes, outer]);
  usePrefetchedUser(app);
  useDebuggingGlobal(app);

  return (
    <TesseraContext.Provider value={tessera}>
      {suspense ? <Suspense fallback={null}>{children}</Suspense> : children}
    </TesseraContext.Provider>
  );
}

/** Documented (docs/contract/client-sdk.md#react-entry-points): the app is in the console for debugging. */
function useDebuggingGlobal(app: CoreClientApp<true>): void {
  useEffect(() => void Object.assign(globalThis, { __STACK_AUTH__: { app } }), [app]);
}

/** Subscribed as long as the provider is mounted, so that no page waits for the user a second time. */
function usePrefetchedUser(app: CoreClientApp<true>): void {
  useEffect(() => app[internals].user({ includeAnonymous: true }).subscribe(() => {}), [app]);
}
