import type { Project } from '@tessera/client';

/** The two pages that let people in. */
export type AuthType = 'sign-in' | 'sign-up';

/** The part of a project's configuration that decides what a sign-in page offers. */
export type AuthConfig = Pick<
  Project['config'],
  'signUpEnabled' | 'credentialEnabled' | 'passkeyEnabled' | 'magicLinkEnabled' | 'oauthProviders'
>;

/** A form for an e-mail address: with a code that is mailed, or with a password. */
export type AuthTab = 'magic-link' | 'password';

/** What an authentication page has to offer. */
export interface AuthOffer {
  readonly providers: readonly string[];
  readonly hasPasskey: boolean;
  /** The first one is shown first. */
  readonly tabs: readonly AuthTab[];
}

/** What a project offers on one of the two pages, the preferred form first. */
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

/** What an authentication page knows when it decides what to show. */
export interface AuthSituation {
  readonly type: AuthType;
  /** Undefined while it is loaded. */
  readonly config: AuthConfig | undefined;
  /** Undefined while it is loaded. */
  readonly isSignedIn: boolean | undefined;
  /** Whether loading one of them failed. */
  readonly hasFailed: boolean;
  /** Whether a form is being sent. */
  readonly isSubmitting: boolean;
  /** Whether those who are signed in are sent on; false again once that was tried and they are still here. */
  readonly sendsOn: boolean;
}

export type AuthState = 'loading' | 'failed' | 'signed-in' | 'leaving' | 'sign-up-disabled' | 'no-method' | 'form';

/** Decides what an authentication page shows (docs/contract/handler-pages.md#sign-in-and-sign-up). */
export function authState({ type, config, isSignedIn, ...situation }: AuthSituation): AuthState {
  if (config === undefined || isSignedIn === undefined) return situation.hasFailed ? 'failed' : 'loading';

  // A form that is being sent leads on by itself, and stays until it has.
  if (isSignedIn && !situation.isSubmitting) return situation.sendsOn ? 'leaving' : 'signed-in';

  if (type === 'sign-up' && !config.signUpEnabled) return 'sign-up-disabled';
  const { providers, hasPasskey, tabs } = authOffer(type, config);
  return providers.length > 0 || hasPasskey || tabs.length > 0 ? 'form' : 'no-method';
}
