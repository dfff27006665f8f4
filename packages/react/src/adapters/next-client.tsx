'use client';

/**
 * The browser part of Tessera for Next.js. Apps import `@tessera/react/next`. This is a separate entry point because a
 * bundler drops `'use client'` when it merges files.
 */
import { ClientApp, type ClientAppJson, internals, type TokenStoreAdapter, type UserJson } from '@tessera/client';
import {
  type HandlerComponentProps,
  TesseraHandler,
  TesseraProvider,
  type TesseraProviderProps,
  useApp,
} from '@tessera/react';
import { usePathname, useRouter } from 'next/navigation.js';
import { useCallback } from 'react';
import { baseBefore, baseOf } from './next-path.ts';
import { goTo } from './router-path.ts';

export {
  AccountSettings,
  AuthPage,
  CliAuthConfirmation,
  CredentialSignIn,
  CredentialSignUp,
  EmailVerification,
  ErrorPage,
  ForgotPassword,
  ForgotPasswordForm,
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
  refetch,
  SelectedTeamSwitcher,
  SignedIn,
  SignedOut,
  SignIn,
  SignOut,
  SignUp,
  TeamCreation,
  TeamInvitation,
  TesseraErrorBoundary,
  TesseraTheme,
  TesseraTheme as StackTheme,
  UserAvatar,
  UserButton,
  useApp,
  useApp as useStackApp,
  useSession,
  useUser,
} from '@tessera/react';

/** An app as the server serialises it. */
export type AppData = Omit<ClientAppJson, 'uniqueIdentifier'>;

interface AppProviderProps extends Omit<TesseraProviderProps, 'app'> {
  readonly data: AppData;
  /** The user that the server has read. */
  readonly initial?: InitialUser | undefined;
}

/**
 * The provider for an app that came from the server.
 *
 * @example
 * <AppProvider data={data}>{children}</AppProvider>
 */
export function AppProvider({ data, initial, ...props }: AppProviderProps) {
  const app = initial === undefined ? appOf(data) : appWithUser(data, initial);
  // A boundary around the whole page would start the response before the page can answer 404 or redirect.
  return <TesseraProvider suspense={false} {...props} app={app} />;
}

interface InitialUser {
  readonly user: UserJson | null;
}

interface Prepared {
  readonly app: ClientApp<true>;
  readonly done: Promise<unknown>;
  isDone: boolean;
}

/** By the value that came with a response: a page that suspends is rendered again with the same value. */
const prepared = new WeakMap<InitialUser, Prepared>();

/** An app that knows its user. Suspends until the user object is built, which takes no request. */
function appWithUser(data: AppData, initial: InitialUser): ClientApp<true> {
  const known = prepared.get(initial) ?? prepare(data, initial);
  prepared.set(initial, known);
  if (!known.isDone) throw known.done;
  return known.app;
}

function prepare(data: AppData, { user }: InitialUser): Prepared {
  // On a server each response has its own app: the shared one serves all users.
  const app = typeof window === 'undefined' ? createApp(data, 'rendering') : appOf(data);
  Object.assign(app[internals], { knowsUserOnServer: true });
  const done = app[internals].setCurrentUser(Promise.resolve(user)).then(() => {
    state.isDone = true;
  });
  const state: Prepared = { app, done, isDone: false };
  return state;
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

/** `rendering`: for one response on a server, with a session that makes no requests because nothing subscribes. */
function createApp({ tokenStore, redirectMethod, ...options }: AppData, use?: 'rendering'): ClientApp<true> {
  return new ClientApp({
    ...options,
    // On the server this app serves all requests and holds no tokens; the browser finds out who is signed in.
    tokenStore: use === 'rendering' ? createRenderingStore() : storeOf(tokenStore),
    // Without `navigate` redirects load the page, so that server components render with the new cookies.
    redirectMethod: redirectMethod === 'nextjs' ? { useNavigate } : redirectMethod,
  });
}

/** A session for as long as a response is rendered. Its user is given, so its tokens are never sent. */
function createRenderingStore(): TokenStoreAdapter {
  return { get: () => ({ accessToken: null, refreshToken: 'rendering' }), set() {} };
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
