import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { guessMapping, importedUserOf, withVerifiedAddress } from './fields.ts';
import { readImportFile } from './read-file.ts';

test.each([
  ['email,name\nada@example.com,Ada\n', ['email', 'name']],
  ['[{"email":"ada@example.com","name":"Ada"}]', ['email', 'name']],
  ['{"users":[{"email":"ada@example.com","name":"Ada"}]}', ['email', 'name']],
  ['{"email":"ada@example.com"}\n{"email":"bob@example.com","name":"Bob"}\n', ['email', 'name']],
])('%j is read with the columns %j', (text, columns) => {
  const file = readImportFile(text);
  expect(file.columns).toEqual(columns);
  expect(file.rows[0]?.email).toBe('ada@example.com');
});

test('a file without rows is refused', () => {
  expect(() => readImportFile('email,name\n')).toThrow('it has no rows');
  expect(() => readImportFile('[]')).toThrow('it has no rows');
});

test.each([
  ['["x", {"email":"ada@example.com"}]', 1],
  ['{"users":[{"email":"ada@example.com"}, null]}', 2],
  ['{"email":"ada@example.com"}\n{"email":"bob@example.com"}\n["carl@example.com"]\n', 3],
])('%j is refused by the entry that is not an object', (text, entry) => {
  expect(() => readImportFile(text)).toThrow(`entry ${entry} is not a JSON object`);
});

test('columns of other systems are recognised, each field once', () => {
  expect(guessMapping(['Email', 'e-mail address', 'full_name', 'createdAt', 'password_hash', 'shoe size'])).toEqual({
    Email: 'primary_email',
    full_name: 'display_name',
    createdAt: 'signed_up_at_millis',
    password_hash: 'password_hash',
  });
});

test('cells are converted to the types of the fields, and empty ones are left out', () => {
  const mapping = guessMapping(['email', 'verified', 'created_at', 'metadata', 'name']);
  const row = { email: ' ada@example.com ', verified: 'Yes', created_at: '1500000000', metadata: '{"a":1}', name: '' };
  expect(importedUserOf(row, mapping)).toEqual({
    primary_email: 'ada@example.com',
    primary_email_verified: true,
    signed_up_at_millis: 1_500_000_000_000,
    server_metadata: { a: 1 },
  });
  expect(importedUserOf({ verified: 'perhaps', created_at: '2020-01-01T00:00:00Z' }, mapping)).toEqual({
    primary_email_verified: 'perhaps',
    signed_up_at_millis: Date.UTC(2020, 0, 1),
  });
});

test('the export of Clerk gives the whole name, the address and whether it is verified', () => {
  const { columns, rows } = readImportFile(
    [
      'id,last_name,first_name,primary_email_address,verified_email_addresses,password_digest,password_hasher',
      'u1,Hopper,Grace,Grace@example.com,"grace@example.org,grace@example.com",$2a$10$hash,bcrypt',
      'u2,Turing,,alan@example.com,,,',
      'u3,,,bob@example.com,bob@example.org,,',
    ].join('\n'),
  );
  const mapping = guessMapping(columns);
  expect(rows.map(row => importedUserOf(row, mapping))).toEqual([
    {
      display_name: 'Grace Hopper',
      primary_email: 'Grace@example.com',
      primary_email_verified: true,
      password_hash: '$2a$10$hash',
    },
    { display_name: 'Turing', primary_email: 'alan@example.com', primary_email_verified: false },
    { primary_email: 'bob@example.com', primary_email_verified: false },
  ]);
});

test('a time of verification means a verified address, and an empty one an address that is not verified', () => {
  const mapping = guessMapping(['email', 'email_confirmed_at']);
  const verified = (email_confirmed_at: string | null) =>
    importedUserOf({ email: 'ada@example.com', email_confirmed_at }, mapping).primary_email_verified;
  expect(['2024-01-05 10:00:00.123456+00', '', null].map(verified)).toEqual([true, false, false]);
});

test('a column of the whole name wins over columns of its parts', () => {
  expect(guessMapping(['given_name', 'family_name', 'name'])).toEqual({ name: 'display_name' });
});

describe('an import file on a machine in New York', () => {
  beforeAll(() => {
    vi.stubEnv('TZ', 'America/New_York');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['2024-01-31', Date.UTC(2024, 0, 31)],
    ['2024-01-31 22:00:00', Date.UTC(2024, 0, 31, 22)],
    ['2024-01-31T22:00:00.500', Date.UTC(2024, 0, 31, 22, 0, 0, 500)],
    ['2024/01/31 22:00', Date.UTC(2024, 0, 31, 22)],
    ['Jan 31, 2024 22:00', Date.UTC(2024, 0, 31, 22)],
    ['1/31/2024 10:00 PM', Date.UTC(2024, 0, 31, 22)],
    ['2024-03-10 02:30:00', Date.UTC(2024, 2, 10, 2, 30)],
    ['2024-01-31 22:00:00 UTC', Date.UTC(2024, 0, 31, 22)],
    ['2024-01-31T22:00:00Z', Date.UTC(2024, 0, 31, 22)],
    ['2024-01-31T22:00:00+02:00', Date.UTC(2024, 0, 31, 20)],
    ['2024-01-31 22:00:00+02', Date.UTC(2024, 0, 31, 20)],
    ['Wed, 31 Jan 2024 22:00:00 EST', Date.UTC(2024, 1, 1, 3)],
    ['yesterday', 'yesterday'],
    ['31 Jan 2024', Date.UTC(2024, 0, 31)],
    ['31-Jan-2024 22:00', Date.UTC(2024, 0, 31, 22)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
  ])('the time of sign-up %j is read as %j', (created_at, signed_up_at_millis) => {
    expect(new Date(2024, 0, 31).getTimezoneOffset()).toBe(300);
    expect(importedUserOf({ created_at }, guessMapping(['created_at']))).toEqual({ signed_up_at_millis });
  });

  test.each([
    '2024-02-31',
    '2023-02-29T10:00:00Z',
    '2024-02-30 10:00:00+02:00',
    '2024/4/31',
    '2/31/2024 10:00 PM',
    'Feb 31, 2024',
    '31 Feb 2024 10:00:00 EST',
  ])('%s, which is not a calendar day, is sent unchanged, so that the report names the row', created_at => {
    expect(importedUserOf({ created_at }, guessMapping(['created_at']))).toEqual({ signed_up_at_millis: created_at });
  });
});

test('an address of a trusted file is verified where its row does not say it', () => {
  const email = { primary_email: 'ada@example.com' };
  expect(withVerifiedAddress(email)).toEqual({ ...email, primary_email_verified: true });
  expect(withVerifiedAddress({ ...email, primary_email_verified: false })).toEqual({
    ...email,
    primary_email_verified: false,
  });
  expect(withVerifiedAddress({ display_name: 'Ada' })).toEqual({ display_name: 'Ada' });
});
