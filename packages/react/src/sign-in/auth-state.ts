import type { Project } from '@tessera/client';

/** The two authentication pages. */
export type AuthType = 'sign-in' | 'sign-up';

/** The part of a project's configuration that decides which methods a sign-in page shows. */
export type AuthConfig = Pick<
  Project['config'],
  'signUpEnabled' | 'credentialEnabled' | 'passkeyEnabled' | 'magicLinkEnabled' | 'oauthProviders'
>;

/** A form for an email address: with an emailed code, or with a password. */
export type AuthTab = 'magic-link' | 'password';

/** The sign-in methods of an authentication page. */
export interface AuthOffer {
  readonly providers: readonly string[];
  readonly hasPasskey: boolean;
  /** The first one is open initially. */
  readonly tabs: readonly AuthTab[];
}

/** The methods of a project on one of the two pages, the preferred form first. */
export function authOffer(type: AuthType, config: AuthConfig, firstTab: AuthTab = 'magic-link'): AuthOffer {
  const tabs: AuthTab[] = [];
  if (config.magicLinkEnabled) tabs.push('magic-link');
  if (config.credentialEnabled) tabs.push('password');
  return {
    providers: config.oauthProviders.map(({ id }) => id),
    hasPasskey: type === 'sign-in' && config.passkeyEnabled,
    tabs: firstTab === 'password' ? tabs.reverse() : tabs,
  };
}

/** Whether a project offers no method at all. */
export function isEmpty({ providers, hasPasskey, tabs }: AuthOffer): boolean {
  return providers.length === 0 && !hasPasskey && tabs.length === 0;
}

/** The input of `authState`. */
export interface AuthSituation {
  readonly type: AuthType;
  /** Undefined while it loads. */
  readonly config: AuthConfig | undefined;
  /** Undefined while it loads. */
  readonly isSignedIn: boolean | undefined;
  /** Whether loading one of them failed. */
  readonly hasFailed: boolean;
  /** Whether a form is being submitted. */
  readonly isSubmitting: boolean;
  /** Whether signed-in visitors are redirected. False again after a redirect that had no effect. */
  readonly sendsOn: boolean;
}

export type AuthState = 'loading' | 'failed' | 'signed-in' | 'leaving' | 'sign-up-disabled' | 'form';

/** Decides what an authentication page shows (docs/contract/handler-pages.md#sign-in-and-sign-up). */
export function authState({ type, config, isSignedIn, ...situation }: AuthSituation): AuthState {
  if (config === undefined || isSignedIn === undefined) return situation.hasFailed ? 'failed' : 'loading';

  // A form that is being submitted redirects by itself, and stays visible until then.
  if (isSignedIn && !situation.isSubmitting) return situation.sendsOn ? 'leaving' : 'signed-in';

  if (type === 'sign-up' && !config.signUpEnabled) return 'sign-up-disabled';
  return 'form';
}
