import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer, type TestServer } from '../../test/server.ts';
import { openTerminal } from '../../test/terminal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Runs `users import` with a file on standard input. */
function importLines(lines: readonly string[], ...options: string[]) {
  const stdin = Readable.from([lines.join('\n')]);
  return openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { stdin }).run('users', 'import', '-', ...options);
}

const lineOf = (index: number, more: object = {}) =>
  JSON.stringify({ primary_email: `imported-${index}@example.com`, primary_email_verified: true, ...more });

test('users import creates more users than one request takes, and skips them the second time', async () => {
  const lines = Array.from({ length: 150 }, (_, index) => lineOf(index));
  const nothing = { updated: 0, skipped: 0, failed: 0, refusals: [] };
  const checked = await importLines(lines, '--dry-run', '--json');
  expect(checked).toMatchObject({ code: 0, json: { isDryRun: true, created: 150, ...nothing } });
  const imported = await importLines(lines, '--json');
  expect(imported).toMatchObject({ code: 0, json: { isDryRun: false, created: 150, ...nothing } });
  const again = await importLines(lines.slice(0, 2), '--json');
  expect(again).toMatchObject({
    code: 0,
    json: {
      created: 0,
      skipped: 2,
      refusals: [
        { line: 1, status: 'skipped' },
        { line: 2, status: 'skipped' },
      ],
    },
  });
});

test('users import without a refused line prints nothing on standard error', async () => {
  const ran = await importLines([lineOf(400)]);
  expect(ran).toMatchObject({ code: 0, stdout: '1 created, 0 updated, 0 skipped, 0 failed.\n', stderr: '' });
});

test('users import names the lines that fail, imports the others and exits with 1', async () => {
  const ran = await importLines([lineOf(200), 'not JSON', '', lineOf(201, { shoe_size: 42 }), lineOf(202)]);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toBe('2 created, 0 updated, 0 skipped, 2 failed.\n');
  expect(ran.stderr).toContain('line 2 failed: it is not a JSON object');
  expect(ran.stderr).toMatch(/line 4 failed: .*shoe_size/);
  expect(ran.stderr).toContain('2 of the users failed.');
});

test('users import of a line that the server cannot read fails that line alone', async () => {
  const nested = '['.repeat(200) + ']'.repeat(200);
  const lines = [
    lineOf(230),
    lineOf(231, { display_name: 'NUL \0' }),
    lineOf(232, { client_metadata: { half: '\ud800' } }),
    lineOf(233).replace('}', `,"client_metadata":${nested}}`),
    lineOf(234, { server_metadata: 'x'.repeat(2_000_000) }),
    lineOf(235),
  ];
  const ran = await importLines(lines, '--json');
  expect(ran).toMatchObject({ code: 1, json: { created: 2, failed: 4, nextLine: null } });
  expect(ran.json).toMatchObject({
    refusals: [
      { line: 2, reason: expect.stringContaining('NUL') },
      { line: 3, reason: expect.stringContaining('NUL') },
      { line: 4, reason: expect.stringContaining('nested') },
      { line: 5, reason: expect.stringContaining('larger') },
    ],
  });
});

test('users import ends lines only at line feeds, whatever separators JSON allows within them', async () => {
  const lines = [`${lineOf(210, { display_name: 'Ada\u2028 \u2029 Lovelace' })}\r`, lineOf(211).replace(',', ',\r')];
  const ran = await importLines(lines, '--json');
  expect(ran).toMatchObject({ code: 0, json: { created: 2, failed: 0, refusals: [] } });
  const shown = await openTerminal({ TESSERA_DATA_DIR: server.dataDir }).run(
    ...['users', 'show', 'imported-210@example.com', '--json'],
  );
  expect(shown.json).toMatchObject({ displayName: 'Ada\u2028 \u2029 Lovelace' });
});

test('users import reads characters of several bytes that a chunk of the file cuts', async () => {
  const bytes = [...Buffer.from(`${lineOf(220, { display_name: 'Zoë 🦊' })}\n`)];
  const stdin = Readable.from(bytes.map(byte => Buffer.of(byte)));
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { stdin });
  expect(await terminal.run('users', 'import', '-')).toMatchObject({ code: 0 });
  const shown = await terminal.run('users', 'show', 'imported-220@example.com', '--json');
  expect(shown.json).toMatchObject({ displayName: 'Zoë 🦊' });
});

const hash = '$2b$04$8RWRSN2jK4kIEbkJtULT2OaQyqUcNZFE9mF/gDHeLVzkcC9PaLV6i';

test.each([
  [
    'Clerk in CSV',
    [
      'id,first_name,last_name,primary_email_address,verified_email_addresses,password_digest,password_hasher',
      `u1,Grace,"Hopper\nof the Navy",clerk-1@example.com,clerk-1@example.com,${hash},bcrypt`,
      'u2,Alan,Turing,clerk-2@example.com,,,',
    ],
    ['id', 'password_hasher'],
    { 'clerk-1@example.com': [true, 'Grace Hopper\nof the Navy'], 'clerk-2@example.com': [false, 'Alan Turing'] },
  ],
  [
    'Auth0 in JSON Lines',
    [
      `{"_id":{"$oid":"1"},"email":"auth0-1@example.com","email_verified":true,"passwordHash":"${hash}"}`,
      '{"email":"auth0-2@example.com","email_verified":false,"given_name":"Alan","family_name":"Turing"}',
    ],
    ['_id'],
    { 'auth0-1@example.com': [true, null], 'auth0-2@example.com': [false, 'Alan Turing'] },
  ],
  [
    'Supabase as a JSON list',
    [
      '[',
      `{"email":"supabase-1@example.com","email_confirmed_at":"2024-01-05 10:00:00+00","encrypted_password":"${hash}"},`,
      '{"email":"supabase-2@example.com","email_confirmed_at":null,"phone":"1"}',
      ']',
    ],
    ['phone'],
    { 'supabase-1@example.com': [true, null], 'supabase-2@example.com': [false, null] },
  ],
])('users import reads the export of %s and names the columns that it leaves out', async (_, lines, leftOut, users) => {
  const nothing = { skipped: 0, failed: 0, refusals: [] };
  expect(await importLines(lines, '--json')).toMatchObject({ code: 0, json: { created: 2, leftOut, ...nothing } });
  for (const [address, [primaryEmailVerified, displayName]] of Object.entries(users)) {
    const shown = await openTerminal({ TESSERA_DATA_DIR: server.dataDir }).run('users', 'show', address, '--json');
    expect(shown.json).toMatchObject({ primaryEmailVerified, displayName });
  }
  const again = await importLines(lines);
  expect(again.stderr).toContain(`Columns that are left out: ${leftOut.join(', ')}.`);
});

test('users import names the lines of a CSV file, also behind a cell of several lines', async () => {
  const ran = await importLines(
    ['email,name', 'csv-1@example.com,"Ada', 'Lovelace"', '', 'not an address,Bob'],
    '--json',
  );
  expect(ran).toMatchObject({ code: 1, json: { created: 1, failed: 1, refusals: [{ line: 5, status: 'failed' }] } });
});

test('users import refuses a JSON list with an entry that is not an object, and imports none of it', async () => {
  const ran = await importLines(['["x",', `${lineOf(230)},`, '{"shoe_size":42}]']);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('The file cannot be read: entry 1 is not a JSON object.');
});

test('users import with --trust-addresses verifies the addresses of which the file says nothing', async () => {
  const lines = ['email,verified', 'trusted-1@example.com,', 'trusted-2@example.com,no'];
  expect(await importLines(lines, '--trust-addresses')).toMatchObject({ code: 0 });
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir });
  const verified = async (address: string) => (await terminal.run('users', 'show', address, '--json')).json;
  expect(await verified('trusted-1@example.com')).toMatchObject({ primaryEmailVerified: true });
  expect(await verified('trusted-2@example.com')).toMatchObject({ primaryEmailVerified: false });
});

test('users import that loses the server prints the counts and the next line', async ({ onTestFinished }) => {
  const original = fetch;
  let imports = 0;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const isSecond = String(input).includes('import') && ++imports % 2 === 0;
    return isSecond ? Promise.resolve(new Response('The disk is full.', { status: 507 })) : original(input, init);
  });
  onTestFinished(() => spy.mockRestore());

  const [first = '', ...others] = Array.from({ length: 150 }, (_, index) => lineOf(1_000 + index));
  const ran = await importLines([first, '', ...others]);
  expect(ran).toMatchObject({ code: 1, stdout: '100 created, 0 updated, 0 skipped, 0 failed.\n' });
  expect(ran.stderr).toContain('Stopped at line 102.');
  expect(ran.stderr).toContain('507');

  const asJson = await importLines([first, '', ...others], '--json', '--on-conflict', 'update');
  expect(asJson).toMatchObject({ code: 1, json: { created: 0, updated: 100, nextLine: 102 } });
});

test('users import reads JSON that begins with a byte order mark', async () => {
  const bytes = Buffer.from(`\uFEFF${lineOf(240)}\n${lineOf(241)}`);
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir }, { stdin: Readable.from([bytes]) });
  expect(await terminal.run('users', 'import', '-', '--json')).toMatchObject({
    code: 0,
    json: { created: 2, failed: 0 },
  });
});

test('users import refuses an empty file', async () => {
  const ran = await importLines([]);
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('it has no rows') });
});

test('users import refuses a file of another format, a missing file and an unknown conflict', async () => {
  const text = await importLines(['Dear Ada,', 'hello']);
  expect(text).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no column that can be imported'),
  });
  const broken = await importLines(['{"primary_email": "ada@example.com"', '}}']);
  expect(broken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('The file cannot be read') });
  const terminal = openTerminal({ TESSERA_DATA_DIR: server.dataDir });
  const missing = await terminal.run('users', 'import', 'missing.jsonl');
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no file missing.jsonl.') });
  const unknown = await importLines([lineOf(300)], '--on-conflict', 'merge');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('skip, update, fail') });
});
