'use client';

/**
 * The browser part of Tessera for Next.js. Apps import `@tessera/react/next`. This is a separate entry point because a
 * bundler drops `'use client'` when it merges files.
 */
import { ClientApp, type ClientAppJson } from '@tessera/client';
import {
  type HandlerComponentProps,
  TesseraHandler,
  TesseraProvider,
  type TesseraProviderProps,
  useApp,
} from '@tessera/react';
import { usePathname, useRouter } from 'next/navigation.js';
import { createContext, useCallback, useContext } from 'react';
import { baseBefore, baseOf } from './next-path.ts';
import { useRefreshForUser } from './next-refresh.ts';
import { goTo } from './router-path.ts';

export {
  AccountDeletion,
  AccountSettings,
  AuthPage,
  CliAuthConfirmation,
  CredentialSignIn,
  CredentialSignUp,
  EmailVerification,
  ErrorPage,
  ForgotPassword,
  MagicLinkCallback,
  MagicLinkSignIn,
  MessageCard,
  MFA,
  OAuthButton,
  OAuthButtonGroup,
  OAuthCallback,
  PasskeyButton,
  PasswordReset,
  Protect,
  Reauthentication,
  refetch,
  SelectedTeamSwitcher,
  SignedIn,
  SignedOut,
  SignIn,
  SignOut,
  SignUp,
  TeamCreation,
  TeamInvitation,
  TesseraBoundary,
  TesseraErrorBoundary,
  TesseraTheme,
  TesseraTheme as StackTheme,
  UserAvatar,
  UserButton,
  useActionGuard,
  useApp,
  useApp as useStackApp,
  useErrorText,
  useSession,
  useSignIn,
  useSignUp,
  useUser,
} from '@tessera/react';

/** An app as the server serialises it. */
export type AppData = Omit<ClientAppJson, 'uniqueIdentifier'>;

/** The app for which a provider above refreshes the page: a page with `initialUser` has a provider in that of its layout. */
const RefreshedApp = createContext<ClientApp<true> | undefined>(undefined);

interface AppProviderProps extends Omit<TesseraProviderProps, 'app'> {
  readonly data: AppData;
}

/**
 * The provider for an app that came from the server.
 *
 * @example
 * <AppProvider data={data}>{children}</AppProvider>
 */
export function AppProvider({ data, ...props }: AppProviderProps) {
  const app = appOf(data);
  const { refresh } = useRouter();
  const isRefreshedAbove = useContext(RefreshedApp) === app;
  useRefreshForUser(isRefreshedAbove ? undefined : app, refresh);
  return (
    <RefreshedApp.Provider value={app}>
      {/* A boundary around the whole page would start the response before the page can answer 404 or redirect. */}
      <TesseraProvider suspense={false} {...props} app={app} />
    </RefreshedApp.Provider>
  );
}

interface HandlerPageProps {
  readonly data: AppData | undefined;
  readonly fullPage: boolean | undefined;
  readonly componentProps: HandlerComponentProps | undefined;
}

/**
 * The handler page for the current path of Next.js.
 *
 * @example
 * <HandlerPage data={undefined} fullPage componentProps={undefined} />
 */
export function HandlerPage({ data, ...props }: HandlerPageProps) {
  return data === undefined ? <ProvidedPage {...props} /> : <PageOf app={appOf(data)} {...props} />;
}

type PageProps = Omit<HandlerPageProps, 'data'>;

function ProvidedPage(props: PageProps) {
  return <PageOf app={useApp()} {...props} />;
}

function PageOf({ app, ...props }: PageProps & { app: ClientApp<true> }) {
  const pathname = usePathname();
  const location = baseBefore(pathname, app.urls.handler) + pathname;
  return <TesseraHandler {...props} app={app} location={location} navigate={useNavigateTo('replace')} />;
}

const apps = new Map<string, ClientApp<true>>();

/** One app per set of options: the layout renders again with every refresh and must keep its app. */
function appOf(data: AppData): ClientApp<true> {
  const text = JSON.stringify(data);
  const app = apps.get(text) ?? createApp(data);
  apps.set(text, app);
  return app;
}

function createApp({ tokenStore, redirectMethod, ...options }: AppData): ClientApp<true> {
  return new ClientApp({
    ...options,
    // On the server this app serves all requests and holds no tokens; the browser finds out who is signed in.
    tokenStore: storeOf(tokenStore),
    // Without `navigate` redirects load the page, so that server components render with the new cookies.
    redirectMethod: redirectMethod === 'nextjs' ? { useNavigate } : redirectMethod,
  });
}

function storeOf(tokenStore: AppData['tokenStore']): 'cookie' | 'nextjs-cookie' | 'memory' {
  return typeof window === 'undefined' || tokenStore === null ? 'memory' : tokenStore;
}

function useNavigate(): (to: string) => void {
  return useNavigateTo('push');
}

/** The URLs of the app include `basePath`; the router adds it itself, so it is removed here. */
function useNavigateTo(how: 'push' | 'replace'): (to: string) => void {
  const router = useRouter();
  const pathname = usePathname();
  return useCallback(
    (to: string) => goTo(to, baseOf(window.location.pathname, pathname), path => router[how](path)),
    [router, pathname, how],
  );
}
