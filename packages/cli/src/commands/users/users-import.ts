import type { ImportedUser, ImportedUserResult, ImportUsersOptions } from '@tessera/client';
import { sendUsers, withVerifiedAddress } from '@tessera/client/import-file';
import { importBatchMax, importBatchMaxCharacters } from '@tessera/protocol/limits';
import type { Command } from 'commander';
import { openAdminApp } from '../../apps.ts';
import { type ProjectOptions, withTarget } from '../../command.ts';
import { stripControlCharacters } from '../../control-characters.ts';
import { Failure, usageError } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { print } from '../../output.ts';
import { resolveTarget } from '../../target.ts';
import { type ImportedRow, readUsers } from './users-file.ts';

type OnConflict = NonNullable<ImportUsersOptions['onConflict']>;

type ImportOptions = ProjectOptions & {
  readonly dryRun?: boolean;
  readonly onConflict: OnConflict;
  readonly trustAddresses?: boolean;
};

type Batch = readonly { readonly line: number; readonly user: ImportedUser }[];

/** A row that was not imported. */
interface Refusal {
  readonly line: number;
  readonly status: 'skipped' | 'failed';
  readonly reason: string | null;
}

type Counts = Record<ImportedUserResult['status'], number>;

/** The results of the lines so far. */
interface Tally {
  readonly counts: Counts;
  readonly refusals: Refusal[];
}

interface ImportOutcome extends Readonly<Counts> {
  readonly isDryRun: boolean;
  readonly refusals: readonly Refusal[];
  /** The columns of an export of another system that no user has. */
  readonly leftOut: readonly string[];
  /** The first line that was not imported, when the import stopped; null after a complete one. */
  readonly nextLine: number | null;
}

const conflicts: readonly string[] = ['skip', 'update', 'fail'] satisfies OnConflict[];

export function addUsersImport(users: Command, io: Io): void {
  withTarget(users.command('import'))
    .argument('<file>', 'JSON Lines, CSV or JSON; - for standard input')
    .description(
      'Imports users with their password hashes (bcrypt, argon2id). A line of JSON has the fields of the API, for example {"primary_email": "ada@example.com", "primary_email_verified": true, "password_hash": "$2b$10$…"}. The exports of Clerk, Auth0 and Supabase are read as they are, in CSV or JSON; the command names the columns that it leaves out. An invalid line fails alone. A file can be imported again: addresses that sign in already are skipped.',
    )
    .option('--dry-run', 'report what would happen and change nothing')
    .option('--on-conflict <what>', 'for an address that signs in already: skip, update or fail', readConflict, 'skip')
    .option('--trust-addresses', 'take addresses as verified where the file does not say whether they are')
    .action((file: string, options: ImportOptions) => importUsers(io, file, options));
}

function readConflict(text: string): string {
  if (conflicts.includes(text)) return text;
  throw usageError(`${text} is not one of ${conflicts.join(', ')}.`);
}

async function importUsers(io: Io, file: string, options: ImportOptions): Promise<void> {
  const app = await openAdminApp(io, resolveTarget(options, io));
  const { onConflict, dryRun: isDryRun = false, trustAddresses: isTrusted = false } = options;
  const tally: Tally = { counts: { created: 0, updated: 0, skipped: 0, failed: 0 }, refusals: [] };
  const onUnreadable = (line: number) =>
    addResult(tally, line, { status: 'failed', reason: 'it is not a JSON object' });
  const leftOut = new Set<string>();
  const rows = readUsers(io, file, leftOut);
  const progress = io.progress(isDryRun ? 'Checking' : 'Importing');
  /** The first line without a result, once a request was sent; null at the end of the file. */
  let nextLine: number | null | undefined;
  try {
    for await (const batch of batchesOf(isTrusted ? withVerifiedAddresses(rows) : rows, onUnreadable)) {
      nextLine = batch[0]?.line;
      const users = batch.map(({ user }) => user);
      const results = await sendUsers(users, part => app.importUsers({ users: part, onConflict, isDryRun }));
      for (const [index, result] of results.entries()) addResult(tally, batch[index]?.line ?? 0, result);
      nextLine = (batch.at(-1)?.line ?? 0) + 1;
      progress.show(`${Object.values(tally.counts).reduce((sum, count) => sum + count, 0)} users`);
    }
    nextLine = null;
  } finally {
    progress.end();
    // After a lost connection, the results of the earlier requests are reported.
    if (nextLine !== undefined) {
      const { counts, refusals } = tally;
      await report(io, options, { isDryRun, ...counts, refusals, leftOut: [...leftOut], nextLine });
    }
  }
  const { failed } = tally.counts;
  if (failed > 0) throw new Failure(`${failed} of the users ${isDryRun ? 'would fail' : 'failed'}.`);
}

function addResult(
  { counts, refusals }: Tally,
  line: number,
  { status, reason }: Pick<ImportedUserResult, 'status' | 'reason'>,
): void {
  counts[status] += 1;
  if (status === 'skipped' || status === 'failed') refusals.push({ line, status, reason });
}

async function report(io: Io, { json }: ImportOptions, outcome: ImportOutcome): Promise<void> {
  await print(io, json, outcome, summaryOf(outcome));
  if (json === true) return;
  if (outcome.leftOut.length > 0) {
    await note(io, stripControlCharacters(`Columns that are left out: ${outcome.leftOut.join(', ')}.`));
  }
  if (outcome.refusals.length > 0) await note(io, outcome.refusals.map(sentenceOf).join('\n'));
  if (outcome.nextLine === null) return;
  await note(
    io,
    `Stopped at line ${outcome.nextLine}. Run the command again with the whole file, or with the lines from there on.`,
  );
}

function summaryOf({ created, updated, skipped, failed, isDryRun }: ImportOutcome): string {
  const text = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
  return isDryRun ? `Without --dry-run: ${text}.` : `${text}.`;
}

function sentenceOf({ line, status, reason }: Refusal): string {
  return stripControlCharacters(`line ${line} ${status}${reason === null ? '' : `: ${reason}`}`);
}

async function* withVerifiedAddresses(rows: AsyncIterable<ImportedRow>): AsyncGenerator<ImportedRow> {
  for await (const { line, user } of rows) yield { line, user: user && withVerifiedAddress(user) };
}

/** Groups rows into requests; a row that is larger than a request is sent alone. */
async function* batchesOf(
  rows: AsyncIterable<ImportedRow>,
  onUnreadable: (line: number) => void,
): AsyncGenerator<Batch> {
  let batch: Batch[number][] = [];
  let characters = 0;
  for await (const { line, user } of rows) {
    if (user === undefined) {
      onUnreadable(line);
      continue;
    }
    const length = JSON.stringify(user).length;
    if (batch.length === importBatchMax || (batch.length > 0 && characters + length > importBatchMaxCharacters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push({ line, user });
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
