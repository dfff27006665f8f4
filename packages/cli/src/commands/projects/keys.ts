import type { InternalApiKey, InternalApiKeyFirstView } from '@tessera/client';
import type { Command } from 'commander';
import { openAdminApp } from '../../apps.ts';
import {
  confirmOrFail,
  type ProjectOptions,
  parseDuration,
  withTarget,
  withYes,
  type YesOption,
} from '../../command.ts';
import { Failure, usageError } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { formatTime, print, table } from '../../output.ts';
import { resolveTarget } from '../../target.ts';

type CreateOptions = ProjectOptions & {
  readonly description?: string;
  readonly expiresIn?: number;
  readonly publishable?: boolean;
  readonly secret?: boolean;
  readonly admin?: boolean;
};

/** The API requires an expiry, so a key set without one gets a date in the far future. */
const neverMs = 100 * 365 * 86_400_000;

export function addKeys(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .summary('manage the key sets of a project')
    .description('Key sets of a project: the keys that its apps and servers send to Tessera.');

  withTarget(keys.command('list'))
    .description('Lists the key sets of a project, newest first, including revoked and expired ones.')
    .action((options: ProjectOptions) => listKeys(io, options));

  withTarget(keys.command('create'))
    .description(
      'Creates a key set. Its keys are shown only once. Without --publishable, --secret or --admin it has a publishable and a secret key.',
    )
    .option('--description <text>', 'what it is for')
    .option('--expires-in <duration>', 'such as 90d; default: never', parseExpiry)
    .option('--publishable', 'with a publishable client key, for browsers')
    .option('--secret', 'with a secret server key')
    .option('--admin', 'with a super secret admin key')
    .action((options: CreateOptions) => createKeys(io, options));

  withYes(withTarget(keys.command('revoke')))
    .argument('<id>', 'id of the key set')
    .description('Revokes all keys of a set, immediately and permanently.')
    .action((id: string, options: ProjectOptions & YesOption) => revokeKeys(io, id, options));
}

/** A key without time would be expired when it is shown. */
function parseExpiry(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs === 0) throw usageError(`${text} is no time. Write at least 1s.`);
  return durationMs;
}

async function listKeys(io: Io, options: ProjectOptions): Promise<void> {
  const app = await openAdminApp(io, resolveTarget(options, io));
  const sets = await app.listInternalApiKeys();
  const rows = sets.map(set => [
    set.id,
    set.description,
    listKeyKinds(set),
    formatTime(set.createdAt),
    describeState(set),
  ]);
  const text =
    rows.length === 0
      ? 'This project has no key sets.'
      : table(['ID', 'DESCRIPTION', 'KEYS', 'CREATED', 'STATE'], rows);
  await print(io, options.json, { items: sets.map(toJson) }, text);
}

async function createKeys(io: Io, options: CreateOptions): Promise<void> {
  const { publishable = false, secret = false, admin = false } = options;
  const isDefault = !publishable && !secret && !admin;
  const target = resolveTarget(options, io);
  const app = await openAdminApp(io, target);
  const created = await app.createInternalApiKey({
    description: options.description ?? 'Created with the command line',
    expiresAt: new Date(Date.now() + (options.expiresIn ?? neverMs)),
    hasPublishableClientKey: publishable || isDefault,
    hasSecretServerKey: secret || isDefault,
    hasSuperSecretAdminKey: admin,
  });
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = created;
  const keys = { publishableClientKey, secretServerKey, superSecretAdminKey };
  await print(io, options.json, { ...fields(created), ...keys }, linesForEnvironment(target.projectId, created));
  if (options.json !== true) await note(io, 'Save these keys now. They are not shown again.');
}

async function revokeKeys(io: Io, id: string, options: ProjectOptions & YesOption): Promise<void> {
  const target = resolveTarget(options, io);
  const app = await openAdminApp(io, target);
  const set = (await app.listInternalApiKeys()).find(one => one.id === id.toLowerCase());
  if (set === undefined) throw new Failure(`Project ${target.projectId} has no key set ${id}. See tessera keys list.`);
  if (set.manuallyRevokedAt === null) {
    await confirmOrFail(
      io,
      options,
      `Revoke key set ${id} of project ${target.projectId} at ${target.apiUrl} permanently?`,
    );
    await set.revoke();
  }
  await print(io, options.json, { id: set.id, revoked: true }, `Key set ${set.id} is revoked.`);
}

/** The keys as lines for a `.env` file. */
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

function toJson(set: InternalApiKey) {
  const { manuallyRevokedAt, publishableClientKey, secretServerKey, superSecretAdminKey } = set;
  return { ...fields(set), manuallyRevokedAt, publishableClientKey, secretServerKey, superSecretAdminKey };
}

function listKeyKinds({ publishableClientKey, secretServerKey, superSecretAdminKey }: InternalApiKey): string {
  const kinds = [
    ['pck', publishableClientKey],
    ['ssk', secretServerKey],
    ['sak', superSecretAdminKey],
  ] as const;
  return kinds.flatMap(([kind, key]) => (key === null ? [] : [`${kind}…${key.lastFour}`])).join(' ');
}

const states = { expired: 'expired', 'manually-revoked': 'revoked' } as const;

function describeState(set: InternalApiKey): string {
  const reason = set.whyInvalid();
  return reason === null ? `until ${formatTime(set.expiresAt)}` : states[reason];
}
