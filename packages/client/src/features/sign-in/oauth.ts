/** Signing in with an account at a provider. */
export interface OAuthMethods {
  /**
   * Leaves the page for the provider, e.g. `github`. Its way back ends at `urls.oauthCallback`, or, when something was
   * refused, at `urls.error`.
   *
   * @returns a promise that never resolves, because the page goes away.
   * @throws outside a browser.
   */
  signInWithOAuth(provider: string): Promise<void>;

  /**
   * Ends a sign-in or a connecting at a provider: called once by the page at `urls.oauthCallback`. Goes on to the page
   * that was asked for, to `urls.afterSignUp` for a new account, else to `urls.afterSignIn`. A user with a second
   * factor is sent to `urls.mfa`.
   *
   * @returns whether it went on. False where the address of the page holds no answer of a provider that this browser
   *   has asked for, e.g. when the page is loaded again.
   * @throws outside a browser; the known error of a refused sign-in, e.g. an expired code; for any other failure an error
   *   whose `cause` is the reason, e.g. a `RequestError`.
   */
  callOAuthCallback(): Promise<boolean>;
}
