import type { InternalApiKey, InternalApiKeyFirstView } from '@tessera/client';
import type { Command } from 'commander';
import { adminApp } from '../apps.ts';
import { assertMeant, duration, type ProjectOptions, withTarget, withYes, type YesOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { type Io, note } from '../io.ts';
import { print, table, when } from '../output.ts';
import { resolveTarget } from '../target.ts';

type CreateOptions = ProjectOptions & {
  readonly description?: string;
  readonly expiresIn?: number;
  readonly publishable?: boolean;
  readonly secret?: boolean;
  readonly admin?: boolean;
};

/** There is no key set without an end; this one nobody lives to see. */
const neverMs = 100 * 365 * 86_400_000;

export function addKeys(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .summary('key sets with which apps talk to the server')
    .description('Key sets of a project: the keys with which its apps and servers talk to Tessera.');

  withTarget(keys.command('list'))
    .description('Lists the key sets of a project, newest first, revoked and expired ones included.')
    .action((options: ProjectOptions) => listKeys(io, options));

  withTarget(keys.command('create'))
    .description(
      'Makes a key set. Its keys are shown this once. Without --publishable, --secret or --admin it has a publishable and a secret key.',
    )
    .option('--description <text>', 'what it is for')
    .option('--expires-in <duration>', 'such as 90d; default: never', duration)
    .option('--publishable', 'with a publishable client key, for browsers')
    .option('--secret', 'with a secret server key')
    .option('--admin', 'with a super secret admin key')
    .action((options: CreateOptions) => createKeys(io, options));

  withYes(withTarget(keys.command('revoke')))
    .argument('<id>', 'of the key set')
    .description('Makes the keys of a set useless, at once and for good.')
    .action((id: string, options: ProjectOptions & YesOption) => revokeKeys(io, id, options));
}

async function listKeys(io: Io, options: ProjectOptions): Promise<void> {
  const app = await adminApp(io, resolveTarget(options, io));
  const sets = await app.listInternalApiKeys();
  const rows = sets.map(set => [set.id, set.description, keysIn(set), when(set.createdAt), stateOf(set)]);
  const text =
    rows.length === 0
      ? 'This project has no key sets.'
      : table(['ID', 'DESCRIPTION', 'KEYS', 'CREATED', 'STATE'], rows);
  await print(io, options.json, { items: sets.map(shown) }, text);
}

async function createKeys(io: Io, options: CreateOptions): Promise<void> {
  const { publishable = false, secret = false, admin = false } = options;
  const isDefault = !publishable && !secret && !admin;
  const target = resolveTarget(options, io);
  const app = await adminApp(io, target);
  const created = await app.createInternalApiKey({
    description: options.description ?? 'Made with the command line',
    expiresAt: new Date(Date.now() + (options.expiresIn ?? neverMs)),
    hasPublishableClientKey: publishable || isDefault,
    hasSecretServerKey: secret || isDefault,
    hasSuperSecretAdminKey: admin,
  });
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = created;
  const keys = { publishableClientKey, secretServerKey, superSecretAdminKey };
  await print(io, options.json, { ...fields(created), ...keys }, linesForEnvironment(target.projectId, created));
  if (options.json !== true) await note(io, 'These keys are not shown again: keep them now.');
}

async function revokeKeys(io: Io, id: string, options: ProjectOptions & YesOption): Promise<void> {
  const target = resolveTarget(options, io);
  const app = await adminApp(io, target);
  const set = (await app.listInternalApiKeys()).find(one => one.id === id.toLowerCase());
  if (set === undefined) throw new Failure(`Project ${target.projectId} has no key set ${id}. See tessera keys list.`);
  if (set.manuallyRevokedAt === null) {
    await assertMeant(
      io,
      options,
      `Revoke key set ${id} of project ${target.projectId} at ${target.apiUrl}, for good?`,
    );
    await set.revoke();
  }
  await print(io, options.json, { id: set.id, revoked: true }, `Key set ${set.id} is revoked.`);
}

/** As they are written into a `.env` file. */
function linesForEnvironment(projectId: string, keys: InternalApiKeyFirstView): string {
  const lines = {
    TESSERA_PROJECT_ID: projectId,
    TESSERA_PUBLISHABLE_CLIENT_KEY: keys.publishableClientKey,
    TESSERA_SECRET_SERVER_KEY: keys.secretServerKey,
    TESSERA_SUPER_SECRET_ADMIN_KEY: keys.superSecretAdminKey,
  };
  return Object.entries(lines)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('\n');
}

function fields({ id, description, createdAt, expiresAt }: InternalApiKey | InternalApiKeyFirstView) {
  return { id, description, createdAt, expiresAt };
}

function shown(set: InternalApiKey) {
  const { manuallyRevokedAt, publishableClientKey, secretServerKey, superSecretAdminKey } = set;
  return { ...fields(set), manuallyRevokedAt, publishableClientKey, secretServerKey, superSecretAdminKey };
}

function keysIn({ publishableClientKey, secretServerKey, superSecretAdminKey }: InternalApiKey): string {
  const kinds = [
    ['pck', publishableClientKey],
    ['ssk', secretServerKey],
    ['sak', superSecretAdminKey],
  ] as const;
  return kinds.flatMap(([kind, key]) => (key === null ? [] : [`${kind}…${key.lastFour}`])).join(' ');
}

const states = { expired: 'expired', 'manually-revoked': 'revoked' } as const;

function stateOf(set: InternalApiKey): string {
  const reason = set.whyInvalid();
  return reason === null ? `until ${when(set.expiresAt)}` : states[reason];
}
