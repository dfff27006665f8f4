/**
 * Tessera in the App Router of Next.js. This door is for server and client components alike. Apps themselves come from
 * `@tessera/client`.
 */
import type { ClientApp, ServerApp } from '@tessera/client';
import { toClientJson } from '@tessera/client/internals';
import type { HandlerComponentProps, TesseraProviderProps } from '@tessera/react';
import { type AppData, AppProvider, HandlerPage } from '@tessera/react/next/client';
import { notFound } from 'next/navigation.js';
import { pageNamed } from '../handler/routes.ts';

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
  StackTheme,
  TeamCreation,
  TeamInvitation,
  TesseraTheme,
  UserAvatar,
  UserButton,
  useApp,
  useStackApp,
  useUser,
} from '@tessera/react/next/client';

/** An app of the server, or of nobody's secrets. */
type AnyApp = ClientApp<true> | ServerApp<true>;

/** Props of `TesseraProvider`. */
export interface NextProviderProps extends Omit<TesseraProviderProps, 'app'> {
  /** The app that your server uses. Browsers are given its public part: no secret key, nobody's tokens. */
  readonly app: AnyApp;
}

/** Gives the app to all pages below a layout, on the server and in the browser. */
export function TesseraProvider({ app, ...props }: NextProviderProps) {
  return <AppProvider {...props} data={dataOf(app)} />;
}

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Props of `TesseraHandler`. */
export interface NextHandlerProps {
  /** The props of the page `app/handler/[...path]/page.tsx`, whatever its parameter is called. */
  readonly routeProps?: { readonly params?: Params | Promise<Params> | undefined } | undefined;
  /** @deprecated `<TesseraHandler {...props} />` of earlier days; give `routeProps={props}`. */
  readonly params?: Params | Promise<Params> | undefined;
  /** @deprecated The query is taken from the window. */
  readonly searchParams?: unknown;
  /** Default: the provider's. */
  readonly app?: AnyApp | undefined;
  /** Centres the pages in the window. Default: they stand inline. */
  readonly fullPage?: boolean | undefined;
  /** Props for the pages. From a server component, only what can be sent to a browser. */
  readonly componentProps?: HandlerComponentProps | undefined;
}

/** Shows the page that belongs to the address; for one that there is not, your `not-found` page. */
export async function TesseraHandler({ routeProps, params, app, fullPage, componentProps }: NextHandlerProps) {
  // biome-ignore lint/suspicious/noConsole: a server component has no other way to tell the developer what is missing
  if (routeProps === undefined) console.warn('TesseraHandler: give the props of the page as routeProps={props}.');
  const path = Object.values((await (routeProps?.params ?? params)) ?? {}).find(Array.isArray);
  // Without a path the page is not where it should be; the handler says so.
  if (path !== undefined && pageNamed(path.join('/')) === undefined) notFound();
  return <HandlerPage data={app && dataOf(app)} fullPage={fullPage} componentProps={componentProps} />;
}

function dataOf(app: AnyApp): AppData {
  const { uniqueIdentifier, ...data } = toClientJson(app);
  return data;
}

export { TesseraHandler as StackHandler, TesseraProvider as StackProvider };
