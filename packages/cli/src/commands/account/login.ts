import { ClientApp } from '@tessera/client';
import type { Command } from 'commander';
import { type ProjectOptions, parseDuration, withTarget } from '../../command.ts';
import { Failure, usageError } from '../../failure.ts';
import { type Io, waitForAbort } from '../../io.ts';
import { type Login, saveLogin } from '../../logins.ts';
import { formatUserName, print } from '../../output.ts';
import { assertReachable } from '../../reach.ts';
import { fetchUser } from '../../session.ts';
import { baseUrl, resolveTarget } from '../../target.ts';

type LoginOptions = ProjectOptions & { readonly expiresIn?: number };

export function addLogin(program: Command, io: Io): void {
  withTarget(program.command('login'))
    .summary('log in with the browser')
    .description(
      "Opens a page of the app where you authorize this terminal to act as you, and saves the session in a file that only you can read. In a folder with `.tessera/keys.json` the default is the demo's project. Log in with `--project internal` to administer the projects that you own.",
    )
    .option('--publishable-key <key>', 'publishable client key (TESSERA_PUBLISHABLE_CLIENT_KEY)')
    .option('--app-url <url>', 'address of the app that hosts the sign-in page (TESSERA_APP_URL)')
    .option('--expires-in <duration>', 'time to confirm, such as 10m; at most 24h', parseDuration)
    .action((options: LoginOptions) => login(io, options));
}

async function login(io: Io, options: LoginOptions): Promise<void> {
  const { apiUrl, projectId, publishableClientKey, appUrl } = resolveTarget(options, io);
  if (publishableClientKey === undefined) {
    throw usageError(`Pass --publishable-key, or set TESSERA_PUBLISHABLE_CLIENT_KEY, for project ${projectId}.`);
  }
  const app = baseUrl(appUrl);
  if (app === undefined) throw usageError('Which app hosts the sign-in page? Pass --app-url, or set TESSERA_APP_URL.');
  await assertReachable(apiUrl);

  const place = { apiUrl, projectId, publishableClientKey };
  const refreshToken = await waitForConfirmation(io, { ...place, appUrl: app, expiresInMillis: options.expiresIn });
  const user = await fetchUser(io, { ...place, refreshToken });
  if (user === null) {
    throw new Failure('You signed out in the browser in the meantime, so the new session has ended. Log in again.');
  }
  const { refreshToken: newest } = user._internalSession.tokens;
  saveLogin(io.configFolder, { ...place, refreshToken: newest ?? refreshToken });
  const { id, displayName, primaryEmail } = user;
  const who = formatUserName(user);
  await print(
    io,
    options.json,
    { apiUrl, projectId, user: { id, displayName, primaryEmail } },
    `Logged in to project ${projectId} at ${apiUrl} as ${who}.`,
  );
}

interface Confirmation extends Omit<Login, 'refreshToken'> {
  readonly appUrl: string;
  readonly expiresInMillis: number | undefined;
}

/** @returns the refresh token of the session that the browser confirmed */
async function waitForConfirmation(io: Io, at: Confirmation): Promise<string> {
  const { apiUrl, projectId, publishableClientKey, appUrl, expiresInMillis } = at;
  const app = new ClientApp({ tokenStore: null, projectId, publishableClientKey, baseUrl: apiUrl });
  const progress: { current?: ReturnType<Io['progress']> } = {};
  const prompted = app.promptCliLogin({
    appUrl,
    waitTimeMillis: io.pollIntervalMs,
    ...(expiresInMillis !== undefined && { expiresInMillis }),
    promptLink: url => {
      io.stderr.write(`Authorize this terminal in the browser:\n\n  ${url}\n\n`);
      io.openBrowser(url);
      progress.current = io.progress('Waiting for you in the browser (Ctrl-C cancels)');
    },
  });
  try {
    const result = await Promise.race([prompted, waitForAbort(io.signal)]);
    if (result === undefined) throw new Failure('Stopped. You are not logged in.');
    if (result.status === 'ok') return result.data;
    throw new Failure(sentences[result.error.errorCode], undefined, result.error);
  } finally {
    progress.current?.end();
  }
}

const sentences = {
  CLI_AUTH_EXPIRED_ERROR:
    'The login was declined in the browser, or the time to confirm it has expired. Run tessera login again.',
  CLI_AUTH_USED_ERROR:
    'Another program already used this login. If that was not you, sign out in the browser immediately, then run tessera login again.',
  CLI_AUTH_ERROR: 'The login failed. Run tessera login again, and confirm in the browser.',
} as const;
