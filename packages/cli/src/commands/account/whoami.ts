import type { Command } from 'commander';
import { type ProjectOptions, withTarget } from '../../command.ts';
import { Failure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { findLogin, readLogins } from '../../logins.ts';
import { formatTime, formatUserName, list, print } from '../../output.ts';
import { assertReachable } from '../../reach.ts';
import { fetchUser, sessionEnded } from '../../session.ts';
import { resolveTarget } from '../../target.ts';

export function addWhoami(program: Command, io: Io): void {
  withTarget(program.command('whoami'))
    .summary('show who is logged in')
    .description('Shows the user and the project of the login of this terminal.')
    .action((options: ProjectOptions) => whoami(io, options));
}

async function whoami(io: Io, options: ProjectOptions): Promise<void> {
  const { apiUrl, projectId } = resolveTarget(options, io);
  const login = findLogin(io.configFolder, { apiUrl, projectId });
  if (login === undefined) {
    const others = readLogins(io.configFolder).map(one => `  --project ${one.projectId} --api-url ${one.apiUrl}`);
    const hint = others.length === 0 ? '' : `\nThis terminal is logged in elsewhere:\n${others.join('\n')}`;
    throw new Failure(`You are not logged in to project ${projectId} at ${apiUrl}. Log in: tessera login${hint}`);
  }
  await assertReachable(apiUrl);
  const user = await fetchUser(io, login);
  if (user === null) throw sessionEnded(login);
  const { id, displayName, primaryEmail, signedUpAt } = user;
  await print(
    io,
    options.json,
    { apiUrl, projectId, user: { id, displayName, primaryEmail, signedUpAt } },
    list({
      User: formatUserName(user),
      Id: id,
      'Signed up': formatTime(signedUpAt),
      Project: projectId,
      Server: apiUrl,
    }),
  );
}
