import type { ImportField } from '@tessera/client/import-file';
import { csvCell } from '../../../files/csv.ts';

const users: readonly Partial<Record<ImportField, string>>[] = [
  {
    primary_email: 'ada@example.com',
    primary_email_verified: 'true',
    display_name: 'Ada Lovelace',
    // Of a random password that is not kept, so that an imported sample opens no account.
    password_hash: '$2b$10$u3uyJ/offogqyQUlwI8lvOlDzN.v0KVU48f1gbcRMd5ENGEDgJbVO',
    signed_up_at_millis: '2024-01-31',
    server_metadata: '{"plan":"pro"}',
  },
  {
    primary_email: 'bob@example.com',
    primary_email_verified: 'false',
    display_name: 'Bob',
    signed_up_at_millis: '2024-02-29',
  },
];

const columns = [...new Set(users.flatMap(user => Object.keys(user)))] as readonly ImportField[];

/** A file that every project can import as it is, so without columns that need a provider or a method: two users in CSV. */
export const sampleFile = [columns, ...users.map(user => columns.map(column => csvCell(user[column] ?? '')))]
  .map(cells => `${cells.join(',')}\r\n`)
  .join('');
