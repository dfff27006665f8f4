import { createError, KnownErrors } from '@tessera/protocol/errors';
import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';

/** Signing a program without a browser in. */
export interface CliLoginMethods {
  /**
   * Asks the user to confirm the login on a page of the app, and waits until they do.
   *
   * @returns the refresh token. The SDK does not store it; keep it readable for this user only.
   * @throws when the server cannot be reached, or with the error of `promptLink`.
   */
  promptCliLogin(options: {
    /** Origin of the app, whose handler is at `/handler`. */
    appUrl: string;
    /** Time until the login expires, in milliseconds. Default: two hours. Maximum: one day. */
    expiresInMillis?: number | undefined;
    /** How often to ask the server. Default: until the time is over. */
    maxAttempts?: number | undefined;
    /** Between two questions. Default: 2000. */
    waitTimeMillis?: number | undefined;
    /** Shows the link. It may return a promise, which the login does not wait for. Default: printed. */
    promptLink?: ((url: string) => unknown) | undefined;
  }): Promise<
    Result<string, Caught<'CLI_AUTH_ERROR'> | Caught<'CLI_AUTH_EXPIRED_ERROR'> | Caught<'CLI_AUTH_USED_ERROR'>>
  >;
}

const defaultWaitMs = 2000;

type Options = Parameters<CliLoginMethods['promptCliLogin']>[0];

export function cliLoginFlow(ctx: Context<'client'>): CliLoginMethods {
  async function login({ appUrl, expiresInMillis, promptLink = print, ...polling }: Options): Promise<string> {
    const { login_code, polling_code } = await ctx.call('POST /auth/cli', {
      body: { expires_in_millis: expiresInMillis },
      session: null,
    });
    const page = `${appUrl.replace(/\/$/, '')}/handler/cli-auth-confirm?login_code=${encodeURIComponent(login_code)}`;
    const end = new AbortController();
    // Beside the polls: a program that opens a browser may wait until the user closes it.
    const failed = Promise.resolve(promptLink(page)).then(() => new Promise<never>(() => {}));
    return Promise.race([failed, poll(polling_code, polling, end.signal)]).finally(() => end.abort());
  }

  async function poll(
    pollingCode: string,
    {
      maxAttempts = Number.POSITIVE_INFINITY,
      waitTimeMillis = defaultWaitMs,
    }: Pick<Options, 'maxAttempts' | 'waitTimeMillis'>,
    end: AbortSignal,
  ): Promise<string> {
    for (let attempt = 0; attempt < maxAttempts && !end.aborted; attempt++) {
      if (attempt > 0) await ctx.platform.wait(waitTimeMillis);
      const answer = await ctx.call('POST /auth/cli/poll', { body: { polling_code: pollingCode }, session: null });
      if (answer.status === 'success') return answer.refresh_token;
      if (answer.status !== 'waiting') throw failureOf(answer.status);
    }
    throw new KnownErrors.CliAuthError('Timed out waiting for CLI authentication.');
  }

  function print(url: string): void {
    ctx.platform.print(`Please open this page to sign in:\n\n${url}\n`);
  }

  return {
    promptCliLogin: options =>
      resultOf(login(options), ['CLI_AUTH_ERROR', 'CLI_AUTH_EXPIRED_ERROR', 'CLI_AUTH_USED_ERROR']),
  };
}

function failureOf(status: 'used' | 'expired'): Error {
  if (status === 'expired') return createError('CLI_AUTH_EXPIRED_ERROR', undefined);
  if (status === 'used') return createError('CLI_AUTH_USED_ERROR', undefined);
  return new KnownErrors.CliAuthError(`The server answered with the unknown status ${String(status)}.`);
}
