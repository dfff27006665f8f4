import type { Caught } from '../../known-errors.ts';
import type { Result } from '../../result.ts';

/** Signing a program without a browser in. */
export interface CliLoginMethods {
  /**
   * Asks the person to open a page of the app and to confirm there, and waits until they have.
   *
   * @returns the refresh token. Nothing is stored: keep it where only this person can read it.
   * @throws when the server cannot be reached.
   */
  promptCliLogin(options: {
    /** Origin of the app, whose handler lies at `/handler`. */
    appUrl: string;
    /** How long the person has. Default: two hours. At most a day. */
    expiresInMillis?: number;
    /** How often to ask the server. Default: until the time is over. */
    maxAttempts?: number;
    /** Between two questions. Default: 2000. */
    waitTimeMillis?: number;
    /** Shows the link. Default: printed. */
    promptLink?: (url: string) => void;
  }): Promise<
    Result<string, Caught<'CLI_AUTH_ERROR'> | Caught<'CLI_AUTH_EXPIRED_ERROR'> | Caught<'CLI_AUTH_USED_ERROR'>>
  >;
}
