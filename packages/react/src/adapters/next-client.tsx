'use client';

/**
 * The part of Tessera for Next.js that runs in the browser. Apps enter through `@tessera/react/next`; this is a door of its
 * own, because a bundler drops `'use client'` where it merges files.
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
  SelectedTeamSwitcher,
  SignIn,
  SignOut,
  SignUp,
  TeamCreation,
  TeamInvitation,
  TesseraTheme,
  TesseraTheme as StackTheme,
  UserAvatar,
  UserButton,
  useApp,
  useApp as useStackApp,
  useUser,
} from '@tessera/react';

/** An app as it comes from the server. */
export type AppData = Omit<ClientAppJson, 'uniqueIdentifier'>;

interface AppProviderProps extends Omit<TesseraProviderProps, 'app'> {
  readonly data: AppData;
}

/** The provider of an app that came from the server. */
export function AppProvider({ data, ...props }: AppProviderProps) {
  // A boundary around the whole page would let its answer begin before the page can say 404 or lead elsewhere.
  return <TesseraProvider suspense={false} {...props} app={appOf(data)} />;
}

interface HandlerPageProps {
  readonly data: AppData | undefined;
  readonly fullPage: boolean | undefined;
  readonly componentProps: HandlerComponentProps | undefined;
}

/** The page of the handler at the address that Next.js shows. */
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

/** One app for the same data: the layout comes again with every refresh, and then must not begin anew. */
function appOf(data: AppData): ClientApp<true> {
  const text = JSON.stringify(data);
  const app = apps.get(text) ?? createApp(data);
  apps.set(text, app);
  return app;
}

function createApp({ tokenStore, redirectMethod, ...options }: AppData): ClientApp<true> {
  return new ClientApp({
    ...options,
    // While a server renders, the app of all requests has nobody's tokens; who is signed in, the browser finds out.
    tokenStore: typeof window === 'undefined' || tokenStore === null ? 'memory' : tokenStore,
    // Without `navigate` redirects load the page, so that server components render with the new cookies.
    redirectMethod: redirectMethod === 'nextjs' ? { useNavigate } : redirectMethod,
  });
}

function useNavigate(): (to: string) => void {
  return useNavigateTo('push');
}

/** The app's addresses are those of the browser; the router puts its `basePath` in front by itself. */
function useNavigateTo(how: 'push' | 'replace'): (to: string) => void {
  const router = useRouter();
  const pathname = usePathname();
  return useCallback(
    (to: string) => goTo(to, baseOf(window.location.pathname, pathname), path => router[how](path)),
    [router, pathname, how],
  );
}
