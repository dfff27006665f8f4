/**
 * Tessera in the App Router of Next.js, for server and client components. Apps themselves come from
 * `@tessera/client`.
 */
import type { ClientApp, ServerApp } from '@tessera/client';
import { toClientJson } from '@tessera/client/internals';
import type { HandlerComponentProps, TesseraProviderProps } from '@tessera/react';
import { type AppData, AppProvider, HandlerPage } from '@tessera/react/next/client';
import { notFound } from 'next/navigation.js';
import { findPage } from '../handler/routes.ts';

export type {
  AdminOwnedProject,
  AdminProject,
  CurrentServerUser,
  CurrentUser,
  FoundUser,
  OAuthConnection,
  ServerTeam,
  ServerTeamUser,
  ServerUser,
  Team,
} from '@tessera/react';
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
  StackTheme,
  TeamCreation,
  TeamInvitation,
  TesseraBoundary,
  TesseraErrorBoundary,
  TesseraTheme,
  UserAvatar,
  UserButton,
  useActionGuard,
  useApp,
  useErrorText,
  useSession,
  useSignIn,
  useSignUp,
  useStackApp,
  useUser,
} from '@tessera/react/next/client';
export type * from '../app/sdk-types.ts';

/** A server app, or a client app without secrets. */
type AnyApp = ClientApp<true> | ServerApp<true>;

/** Props of `TesseraProvider`. */
export interface NextProviderProps extends Omit<TesseraProviderProps, 'app'> {
  /** The app of your server. Browsers receive its public options only: no secret key and no tokens. */
  readonly app: AnyApp;
}

/**
 * Provides the app to all pages below a layout, on the server and in the browser.
 *
 * @example
 * const user = await tessera.getUser();
 * return <TesseraProvider app={tessera} initialUser={user?.toClientJson() ?? null}>{children}</TesseraProvider>;
 */
export function TesseraProvider({ app, ...props }: NextProviderProps) {
  return <AppProvider {...props} data={dataOf(app)} />;
}

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What Next.js passes to a page. */
interface RouteProps {
  readonly params?: Params | Promise<Params> | undefined;
}

/** Props of `TesseraHandler`. */
export interface NextHandlerProps {
  /**
   * The props of the page `app/handler/[...path]/page.tsx`, which may declare them as `unknown`. The name of the parameter
   * in the path does not matter.
   */
  readonly routeProps?: unknown;
  /** @deprecated Spread props (`<TesseraHandler {...props} />`) still work; pass `routeProps={props}`. */
  readonly params?: Params | Promise<Params> | undefined;
  /** @deprecated The query is read from the window. */
  readonly searchParams?: unknown;
  /** Default: the app of the provider. */
  readonly app?: AnyApp | undefined;
  /** Centres the pages in the window. Default: inline. */
  readonly fullPage?: boolean | undefined;
  /** Props for the pages. From a server component, only serialisable values. */
  readonly componentProps?: HandlerComponentProps | undefined;
}

/**
 * Shows the page for the current URL. An unknown path shows your `not-found` page.
 *
 * @example
 * export default function Page(props: { params: Promise<{ path: string[] }> }) {
 *   return <TesseraHandler fullPage routeProps={props} />;
 * }
 */
export async function TesseraHandler({ routeProps, params, app, fullPage, componentProps }: NextHandlerProps) {
  // biome-ignore lint/suspicious/noConsole: the only way for a server component to report a misconfiguration
  if (routeProps === undefined) console.warn('TesseraHandler: give the props of the page as routeProps={props}.');
  const { params: routeParams } = (routeProps ?? {}) as RouteProps;
  const path = Object.values((await (routeParams ?? params)) ?? {}).find(Array.isArray);
  // Without a path the page is in the wrong folder; the handler shows that.
  if (path !== undefined && findPage(path.join('/')) === undefined) notFound();
  return <HandlerPage data={app && dataOf(app)} fullPage={fullPage} componentProps={componentProps} />;
}

function dataOf(app: AnyApp): AppData {
  const { uniqueIdentifier, ...data } = toClientJson(app);
  return data;
}

export { TesseraHandler as StackHandler, TesseraProvider as StackProvider };
