import type { Command } from 'commander';
import { type ProjectOptions, withTarget } from '../command.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { findLogin } from '../logins.ts';
import { list, plain, print, when } from '../output.ts';
import { assertReachable } from '../reach.ts';
import { hasEnded, userOf } from '../session.ts';
import { resolveTarget } from '../target.ts';

export function addWhoami(program: Command, io: Io): void {
  withTarget(program.command('whoami'))
    .summary('show who is logged in')
    .description('Asks the server who the login of this terminal is.')
    .action((options: ProjectOptions) => whoami(io, options));
}

async function whoami(io: Io, options: ProjectOptions): Promise<void> {
  const { apiUrl, projectId } = resolveTarget(options, io);
  const login = findLogin(io.configFolder, { apiUrl, projectId });
  if (login === undefined) {
    throw new Failure(`You are not logged in to project ${projectId} at ${apiUrl}. Log in: tessera login`);
  }
  await assertReachable(apiUrl);
  const user = await userOf(io, login);
  if (user === null) throw hasEnded(login);
  const { id, displayName, primaryEmail, signedUpAt } = user;
  await print(
    io,
    options.json,
    { apiUrl, projectId, user: { id, displayName, primaryEmail, signedUpAt } },
    list({
      User: whoIs(user),
      Id: id,
      'Signed up': when(signedUpAt),
      Project: projectId,
      Server: apiUrl,
    }),
  );
}

/** Somebody, in the words that people know them by. */
export function whoIs(user: { id: string; displayName: string | null; primaryEmail: string | null }): string {
  const { displayName, primaryEmail, id } = user;
  if (displayName !== null && primaryEmail !== null) return plain(`${displayName} <${primaryEmail}>`);
  return plain(displayName ?? primaryEmail ?? id);
}
