/** Where to go after signing out. */
export interface SignOutOptions {
  /** Default: `urls.afterSignOut`. */
  readonly redirectUrl?: URL | string;
}

/** Ending the session. */
export interface SignOutMethods {
  /** Ends the session on the server and in every tab, then leaves the page. Does nothing when no user is signed in. */
  signOut(options?: SignOutOptions): Promise<void>;
}
