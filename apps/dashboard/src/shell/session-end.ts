let hasEnded = false;

/**
 * Whether the last session of this tab ended on a page that needs one, for the sign-in page that follows. In memory: the
 * dashboard redirects without a reload. A sign-out happens on a page of its own.
 */
export const sessionEnd = {
  wasUnexpected: () => hasEnded,
  /** The user of the dashboard has changed. */
  note(isSignedIn: boolean): void {
    hasEnded = !isSignedIn;
  },
};
