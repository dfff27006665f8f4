let state: 'signed-in' | 'signs-out' | 'ended' = 'signed-in';

/**
 * How the last session of this tab ended, for the sign-in page that follows. In memory: the dashboard redirects without a
 * reload.
 */
export const sessionEnd = {
  /** Whether the session ended without a sign-out by its user. */
  wasUnexpected: () => state === 'ended',
  /** The user of the dashboard has changed. */
  note(isSignedIn: boolean): void {
    if (isSignedIn) state = 'signed-in';
    else if (state === 'signed-in') state = 'ended';
  },
  /** The user signs out. */
  expect(): void {
    state = 'signs-out';
  },
};
