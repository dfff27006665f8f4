import type { Command } from 'commander';
import { type ProjectOptions, withTarget } from '../../command.ts';
import { Failure, toFailure } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { findLogin, type Login, readLogins, removeLogin } from '../../logins.ts';
import { print } from '../../output.ts';
import { assertReachable } from '../../reach.ts';
import { fetchUser } from '../../session.ts';
import { resolveTarget } from '../../target.ts';

type LogoutOptions = ProjectOptions & { readonly all?: boolean };

export function addLogout(program: Command, io: Io): void {
  withTarget(program.command('logout'))
    .summary('log out')
    .description(
      'Ends the session at the server and deletes it here. If the browser that confirmed the login shares the session, it is signed out too.',
    )
    .option('--all', 'log out everywhere on this machine')
    .action((options: LogoutOptions) => logout(io, options));
}

async function logout(io: Io, options: LogoutOptions): Promise<void> {
  const logins = options.all === true ? readLogins(io.configFolder) : [loginOf(io, options)];
  const loggedOut: { apiUrl: string; projectId: string; endedAtServer: boolean }[] = [];
  for (const login of logins) {
    const { apiUrl, projectId } = login;
    const failure = await endSession(io, login);
    // The login is deleted here even when the server cannot end the session.
    removeLogin(io.configFolder, login);
    loggedOut.push({ apiUrl, projectId, endedAtServer: failure === undefined });
    if (failure === undefined) continue;
    await note(
      io,
      `The login is deleted here, but the server could not end the session. It stays valid until it expires. End it in your account settings. (${failure})`,
    );
  }
  const text = loggedOut.map(({ apiUrl, projectId }) => `Logged out of project ${projectId} at ${apiUrl}.`).join('\n');
  await print(io, options.json, { loggedOut }, text === '' ? 'You were not logged in.' : text);
}

function loginOf(io: Io, options: LogoutOptions): Login {
  const { apiUrl, projectId } = resolveTarget(options, io);
  const login = findLogin(io.configFolder, { apiUrl, projectId });
  if (login !== undefined) return login;
  throw new Failure(`You are not logged in to project ${projectId} at ${apiUrl}.`);
}

/** @returns the reason why the session could not be ended; undefined when it has ended */
async function endSession(io: Io, login: Login): Promise<string | undefined> {
  try {
    await assertReachable(login.apiUrl);
    const user = await fetchUser(io, login);
    await user?.signOut();
    return undefined;
  } catch (error) {
    return toFailure(error).message;
  }
}
