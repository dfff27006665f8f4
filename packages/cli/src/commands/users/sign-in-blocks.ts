import type { SignInBlock } from '@tessera/client';
import type { Command } from 'commander';
import { openAdminApp, openServerApp } from '../../apps.ts';
import { type ProjectOptions, withTarget } from '../../command.ts';
import type { Io } from '../../io.ts';
import { formatTime, formatUserName, print } from '../../output.ts';
import { resolveTarget, type Target } from '../../target.ts';
import { findUser } from './find-user.ts';

export function addAllowSignIn(users: Command, io: Io): void {
  withTarget(users.command('allow-sign-in'))
    .argument('<user>', 'id or primary email address')
    .description(
      'Ends the block of sign-in after too many failed attempts. Ask the user first whether the attempts were theirs.',
    )
    .action((user: string, options: ProjectOptions) => allowSignIn(io, user, options));
}

/** From where sign-in to an account is blocked; undefined when the target has a server key only, which cannot read it. */
export async function readSignInBlocks(io: Io, target: Target, userId: string): Promise<SignInBlock[] | undefined> {
  if (target.superSecretAdminKey === undefined && target.secretServerKey !== undefined) return undefined;
  return (await openAdminApp(io, target)).getSignInBlocks(userId);
}

/** Until when and from where sign-in is blocked; undefined when it is not. */
export function describeBlocks(blocks: readonly SignInBlock[]): string | undefined {
  const [longest] = blocks;
  if (longest === undefined) return undefined;
  const networks = blocks.map(({ from }) => from ?? 'networks where the user has not signed in lately');
  return `until ${formatTime(longest.until)} after failed attempts, from ${[...new Set(networks)].join(', ')}`;
}

async function allowSignIn(io: Io, which: string, options: ProjectOptions): Promise<void> {
  const target = resolveTarget(options, io);
  const app = await openAdminApp(io, target);
  const user = await findUser(await openServerApp(io, target), which);
  const blocks = await app.getSignInBlocks(user.id);
  if (blocks.length > 0) await app.allowSignIn(user.id);
  const who = formatUserName(user);
  const was = describeBlocks(blocks);
  const text =
    was === undefined
      ? `Sign-in of ${who} was not blocked.`
      : `Sign-in of ${who} was blocked ${was}. It is allowed now.`;
  await print(io, options.json, { id: user.id, endedBlocks: blocks }, text);
}
