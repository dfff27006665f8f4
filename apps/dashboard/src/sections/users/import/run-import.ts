import type { ImportedUser, ImportedUserResult, ImportUsersOptions } from '@tessera/client';
import { sendUsers } from '@tessera/client/import-file';
import { importBatchMax, importBatchMaxCharacters } from '@tessera/client/internals';

interface ImportRun {
  readonly users: readonly ImportedUser[];
  /** Results of the batches before, when an import goes on. */
  readonly before: readonly ImportedUserResult[];
  readonly send: (options: ImportUsersOptions) => Promise<readonly ImportedUserResult[]>;
  readonly options: Omit<ImportUsersOptions, 'users'>;
  readonly isStopped: () => boolean;
  readonly onProgress: (results: readonly ImportedUserResult[]) => void;
}

/** Sends the users in batches. A result belongs to the user at its place; fewer results mean that it was stopped. */
export async function runImport(run: ImportRun): Promise<readonly ImportedUserResult[]> {
  let results = run.before;
  while (results.length < run.users.length && !run.isStopped()) {
    const batch = batchFrom(run.users, results.length);
    results = [...results, ...(await sendUsers(batch, users => run.send({ ...run.options, users })))];
    run.onProgress(results);
  }
  return results;
}

/** The next users that fit into one request; at least one. */
function batchFrom(users: readonly ImportedUser[], start: number): readonly ImportedUser[] {
  let characters = 0;
  let end = start;
  while (end < users.length && end - start < importBatchMax) {
    characters += JSON.stringify(users[end]).length;
    if (end > start && characters > importBatchMaxCharacters) break;
    end += 1;
  }
  return users.slice(start, end);
}
