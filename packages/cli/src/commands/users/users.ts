import { RequestError, type ServerUser, type SignInBlock, type UserSuspension } from '@tessera/client';
import { usersPageMax } from '@tessera/protocol/limits';
import type { Command } from 'commander';
import { openAdminApp, openServerApp } from '../../apps.ts';
import {
  confirmOrFail,
  type ProjectOptions,
  parseWholeNumber,
  readSecretVariable,
  withTarget,
  withYes,
  type YesOption,
} from '../../command.ts';
import { type Io, note } from '../../io.ts';
import { formatTime, formatUserName, list, print, table } from '../../output.ts';
import { resolveTarget } from '../../target.ts';
import { findUser } from './find-user.ts';
import { addAllowSignIn, describeBlocks, readSignInBlocks } from './sign-in-blocks.ts';
import { addUsersImport } from './users-import.ts';

type ListOptions = ProjectOptions & {
  readonly query?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly newestFirst?: boolean;
};

type CreateOptions = ProjectOptions & {
  readonly name?: string;
  readonly verified?: boolean;
  readonly passwordEnv?: string;
};

type SuspendOptions = ProjectOptions & YesOption & { readonly reason?: string };

export function addUsers(program: Command, io: Io): void {
  const users = program
    .command('users')
    .summary('manage the users of a project')
    .description('Users of a project. Name a user by id or by primary email address.');

  withTarget(users.command('list'))
    .description('Lists users in the order of sign-up.')
    .option('--query <text>', 'only users with this text in name or address, or with this id')
    .option('--limit <number>', 'how many', parseWholeNumber(1, usersPageMax), 50)
    .option('--cursor <cursor>', 'start of the next page, as printed below the previous page')
    .option('--newest-first', 'newest users first')
    .action((options: ListOptions) => listUsers(io, options));

  withTarget(users.command('show'))
    .argument('<user>', 'id or primary email address')
    .description('Shows one user.')
    .action((user: string, options: ProjectOptions) => showUser(io, user, options));

  withTarget(users.command('create'))
    .argument('[address]', 'primary email address')
    .description('Creates a user.')
    .option('--verified', 'mark the email address as verified')
    .option('--name <text>', 'display name')
    .option('--password-env <name>', 'variable with the password')
    .action((address: string | undefined, options: CreateOptions) => createUser(io, address, options));

  withYes(withTarget(users.command('delete')))
    .argument('<user>', 'id or primary email address')
    .description('Deletes a user and all their data.')
    .action((user: string, options: ProjectOptions & YesOption) => deleteUser(io, user, options));

  withYes(withTarget(users.command('sign-out')))
    .argument('<user>', 'id or primary email address')
    .description(
      'Ends all sessions of a user, impersonations too. The server refuses their access tokens at once; a service that only verifies signatures accepts them until they expire.',
    )
    .action((user: string, options: ProjectOptions & YesOption) => signOutUser(io, user, options));

  withYes(withTarget(users.command('suspend')))
    .argument('<user>', 'id or primary email address')
    .description('Signs a user out everywhere and refuses sign-ins and API keys of the user.')
    .option('--reason <text>', 'for your team and the audit log')
    .action((user: string, options: SuspendOptions) => suspendUser(io, user, options));

  withTarget(users.command('unsuspend'))
    .argument('<user>', 'id or primary email address')
    .description('Allows a suspended user to sign in again.')
    .action((user: string, options: ProjectOptions) => unsuspendUser(io, user, options));

  addAllowSignIn(users, io);
  addUsersImport(users, io);
}

async function listUsers(io: Io, options: ListOptions): Promise<void> {
  const { query, limit, cursor, newestFirst } = options;
  const app = await openServerApp(io, resolveTarget(options, io));
  const page = await app.listUsers({
    limit,
    ...(query !== undefined && { query }),
    ...(cursor !== undefined && { cursor }),
    ...(newestFirst === true && { desc: true }),
  });
  const rows = page.map(user => [
    user.id,
    user.primaryEmail ?? '-',
    user.displayName ?? '-',
    formatTime(user.signedUpAt),
    formatTime(user.lastActiveAt),
  ]);
  const text = rows.length === 0 ? 'No users.' : table(['ID', 'EMAIL', 'NAME', 'SIGNED UP', 'LAST ACTIVE'], rows);
  await print(io, options.json, { items: page.map(toJson), nextCursor: page.nextCursor }, text);
  if (options.json !== true && page.nextCursor !== null) await note(io, `Next page: --cursor ${page.nextCursor}`);
}

async function showUser(io: Io, which: string, options: ProjectOptions): Promise<void> {
  const target = resolveTarget(options, io);
  const user = await findUser(await openServerApp(io, target), which);
  const suspension = await user.getSuspension();
  const signInBlocks = await readSignInBlocks(io, target, user.id);
  const found = { ...toJson(user), suspension, ...(signInBlocks !== undefined && { signInBlocks }) };
  await print(io, options.json, found, describe(user, { suspension, signInBlocks }));
}

async function createUser(io: Io, address: string | undefined, options: CreateOptions): Promise<void> {
  const { name, verified, passwordEnv } = options;
  const password = passwordEnv === undefined ? undefined : readSecretVariable(io, passwordEnv);
  const app = await openServerApp(io, resolveTarget(options, io));
  const user = await app.createUser({
    ...(address !== undefined && { primaryEmail: address, primaryEmailAuthEnabled: true }),
    ...(verified === true && { primaryEmailVerified: true }),
    ...(name !== undefined && { displayName: name }),
    ...(password !== undefined && { password }),
  });
  await print(io, options.json, toJson(user), describe(user));
  if (address === undefined || password !== undefined) return;
  await note(
    io,
    verified === true
      ? 'The first sign-in is a code by email, where the project has that method.'
      : 'This user cannot sign in yet: codes go to verified addresses only. Use --verified or --password-env.',
  );
}

async function deleteUser(io: Io, which: string, options: ProjectOptions & YesOption): Promise<void> {
  const target = resolveTarget(options, io);
  const user = await findUser(await openServerApp(io, target), which);
  const who = formatUserName(user);
  await confirmOrFail(
    io,
    options,
    `Delete ${who} (${user.id}) from project ${target.projectId} at ${target.apiUrl} permanently?`,
  );
  await user.delete();
  await print(io, options.json, { id: user.id, deleted: true }, `Deleted ${who}.`);
}

async function suspendUser(io: Io, which: string, options: SuspendOptions): Promise<void> {
  const target = resolveTarget(options, io);
  const user = await findUser(await openServerApp(io, target), which);
  const who = formatUserName(user);
  await confirmOrFail(io, options, `Suspend ${who} (${user.id}) in project ${target.projectId} at ${target.apiUrl}?`);
  await user.suspend({ reason: options.reason ?? null });
  await print(io, options.json, { id: user.id, suspended: true }, `Suspended ${who}.`);
}

async function unsuspendUser(io: Io, which: string, options: ProjectOptions): Promise<void> {
  const user = await findUser(await openServerApp(io, resolveTarget(options, io)), which);
  const who = formatUserName(user);
  const wasSuspended = (await user.getSuspension()) !== null;
  if (wasSuspended) await user.endSuspension();
  const text = wasSuspended
    ? `${who} is not suspended any more.`
    : `${who} was not suspended. To see why a user cannot sign in: tessera users show ${user.id}`;
  await print(io, options.json, { id: user.id, suspended: false }, text);
}

async function signOutUser(io: Io, which: string, options: ProjectOptions & YesOption): Promise<void> {
  const target = resolveTarget(options, io);
  // Level server does not list impersonations.
  const user = await findUser(await openAdminApp(io, target), which);
  const who = formatUserName(user);
  await confirmOrFail(
    io,
    options,
    `End all sessions of ${who} (${user.id}) in project ${target.projectId} at ${target.apiUrl}?`,
  );
  let count = 0;
  for (const { id } of await user.getActiveSessions()) if (await endSession(user, id)) count += 1;
  await print(
    io,
    options.json,
    { id: user.id, endedSessions: count },
    `Ended ${count} ${count === 1 ? 'session' : 'sessions'} of ${who}.`,
  );
}

/** @returns false when the session has ended in the meantime */
async function endSession(user: ServerUser, sessionId: string): Promise<boolean> {
  try {
    await user.revokeSession(sessionId);
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return false;
    throw error;
  }
}

function toJson(user: ServerUser) {
  const { id, displayName, primaryEmail, primaryEmailVerified, profileImageUrl, signedUpAt, lastActiveAt } = user;
  const { hasPassword, otpAuthEnabled, passkeyAuthEnabled, isMultiFactorRequired, isAnonymous } = user;
  const { clientMetadata, clientReadOnlyMetadata, serverMetadata } = user;
  return {
    ...{ id, displayName, primaryEmail, primaryEmailVerified, profileImageUrl, signedUpAt, lastActiveAt },
    ...{ hasPassword, otpAuthEnabled, passkeyAuthEnabled, isMultiFactorRequired, isAnonymous },
    oauthProviders: user.oauthProviders.map(provider => provider.id),
    ...{ clientMetadata, clientReadOnlyMetadata, serverMetadata },
  };
}

interface Obstacles {
  readonly suspension?: UserSuspension | null;
  readonly signInBlocks?: readonly SignInBlock[] | undefined;
}

function describe(user: ServerUser, { suspension = null, signInBlocks = [] }: Obstacles = {}): string {
  const ways = {
    password: user.hasPassword,
    'code by email': user.otpAuthEnabled,
    passkey: user.passkeyAuthEnabled,
    ...Object.fromEntries(user.oauthProviders.map(({ id }) => [id, true])),
  };
  const usable = Object.entries(ways).flatMap(([way, has]) => (has ? [way] : []));
  return list({
    Id: user.id,
    Name: user.displayName ?? '-',
    Email:
      user.primaryEmail === null ? '-' : `${user.primaryEmail}${user.primaryEmailVerified ? '' : ' (not verified)'}`,
    'Signs in with': usable.length === 0 ? 'nothing yet' : usable.join(', '),
    'Two-step verification': user.isMultiFactorRequired ? 'yes' : 'no',
    'Signed up': formatTime(user.signedUpAt),
    'Last active': formatTime(user.lastActiveAt),
    ...(user.isAnonymous && { Anonymous: 'yes' }),
    ...(suspension !== null && { Suspended: suspendedSince(suspension) }),
    'Sign-in blocked': describeBlocks(signInBlocks),
    'Client metadata': metadata(user.clientMetadata),
    'Read-only metadata': metadata(user.clientReadOnlyMetadata),
    'Server metadata': metadata(user.serverMetadata),
  });
}

function suspendedSince({ suspendedAt, reason }: UserSuspension): string {
  return reason === null ? formatTime(suspendedAt) : `${formatTime(suspendedAt)}: ${reason}`;
}

function metadata(value: unknown): string | undefined {
  return value === null ? undefined : JSON.stringify(value);
}
