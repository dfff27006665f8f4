import type { ImportedUser, ImportedUserResult } from '@tessera/client';
import { guessMapping, importedUserOf, readImportFile } from '@tessera/client/import-file';
import { expect, test, vi } from 'vitest';
import { runImport } from './run-import.ts';
import { sampleFile } from './sample-file.ts';
import { withColumn } from './with-column.ts';

test('several columns can be the name, and any other field has one column', () => {
  const mapping = withColumn(
    withColumn({ first: 'display_name', mail: 'primary_email' }, 'last', 'display_name'),
    'alt',
    'primary_email',
  );
  expect(mapping).toEqual({ first: 'display_name', last: 'display_name', alt: 'primary_email' });
  expect(importedUserOf({ last: 'Lovelace', first: 'Ada' }, mapping)).toEqual({ display_name: 'Ada Lovelace' });
  expect(withColumn(mapping, 'first', undefined)).toEqual({ last: 'display_name', alt: 'primary_email' });
});

test('the sample file has only columns that are recognized, and values of their types', () => {
  const { columns, rows } = readImportFile(sampleFile);
  const mapping = guessMapping(columns);
  expect(mapping).toEqual(Object.fromEntries(columns.map(column => [column, column])));
  expect(rows.map(row => importedUserOf(row, mapping))).toMatchObject([
    { primary_email_verified: true, signed_up_at_millis: Date.UTC(2024, 0, 31), server_metadata: { plan: 'pro' } },
    { primary_email_verified: false, signed_up_at_millis: Date.UTC(2024, 1, 29) },
  ]);
});

test('a batch has at most 100 users, and fewer when they are large', async () => {
  const batchSizes = async (users: readonly ImportedUser[]) => {
    const sizes: number[] = [];
    await runImport({
      users,
      before: [],
      send: async ({ users: batch }) => {
        sizes.push(batch.length);
        return batch.map((): ImportedUserResult => ({ status: 'created', userId: 'u', reason: null }));
      },
      options: { onConflict: 'skip' },
      isStopped: () => false,
      onProgress: () => {},
    });
    return sizes;
  };
  const users = Array.from({ length: 150 }, (_, index) => ({ display_name: String(index) }));
  expect(await batchSizes(users)).toEqual([100, 50]);
  const large = Array.from({ length: 3 }, () => ({ server_metadata: 'x'.repeat(300_000) }));
  expect(await batchSizes(large)).toEqual([1, 1, 1]);
});

test('a user in whose request the server cannot read a text fails alone', async () => {
  const users = ['Ada', 'NUL \0', 'Eve'].map(name => ({ display_name: name }));
  const results = await runImport({
    users,
    before: [],
    send: async ({ users: batch }) => {
      if (JSON.stringify(batch).includes('\\u0000')) {
        throw Object.assign(new Error('A text in the body holds a NUL character.'), {
          errorCode: 'BODY_PARSING_ERROR',
        });
      }
      return batch.map((): ImportedUserResult => ({ status: 'created', userId: 'u', reason: null }));
    },
    options: { onConflict: 'skip' },
    isStopped: () => false,
    onProgress: () => {},
  });
  expect(results.map(({ status }) => status)).toEqual(['created', 'failed', 'created']);
});

test('a stopped import keeps its results and continues with the next user', async () => {
  const users = Array.from({ length: 250 }, (_, index) => ({ display_name: String(index) }));
  const send = vi.fn(async ({ users: batch }: { users: readonly unknown[] }) =>
    batch.map((): ImportedUserResult => ({ status: 'created', userId: 'u', reason: null })),
  );
  const seen: number[] = [];
  const onProgress = (results: readonly unknown[]) => void seen.push(results.length);
  const run = { users, send, options: { onConflict: 'skip' as const }, onProgress };
  const first = await runImport({ ...run, before: [], isStopped: () => seen.length === 1 });
  expect(first).toHaveLength(100);
  const all = await runImport({ ...run, before: first, isStopped: () => false });
  expect(all).toHaveLength(250);
  expect(seen).toEqual([100, 200, 250]);
  expect(send).toHaveBeenCalledTimes(3);
});
