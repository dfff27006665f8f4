import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installationSecret, randomSecret } from '@tessera/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/folders.ts';
import { startServer, type TestServer } from '../../test/server.ts';
import { openTerminal } from '../../test/terminal.ts';

const next = 'the next secret of an installation that changes its own';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const rotating = () => ({
  DATABASE_URL: server.database.url,
  TESSERA_SECRET: next,
  TESSERA_PREVIOUS_SECRET: server.secret,
});

test.each([
  [{}, 'TESSERA_PREVIOUS_SECRET to the old one'],
  [{ TESSERA_SECRET: next }, 'TESSERA_PREVIOUS_SECRET to the old one'],
  [{ TESSERA_SECRET: next, TESSERA_PREVIOUS_SECRET: next }, 'are the same'],
])('rotate-secret refuses the environment %j', async (env, sentence) => {
  const ran = await openTerminal({ DATABASE_URL: server.database.url, ...env }).run('rotate-secret');
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
});

test('control 99: rotate-secret encrypts with the new secret, reports the counts, and may run again', async () => {
  const person = await server.person(server.demo);
  await server.database.query(
    `insert into sent_mails (project_id, id, recipients, subject, sender_config, sent_at_millis)
     values ($1, gen_random_uuid(), $2, $3, '{}', 0)`,
    [server.demo, [person.email], await storeEncryptedSubject()],
  );
  const wrong = { ...rotating(), TESSERA_PREVIOUS_SECRET: 'a third secret, which no server knows' };
  expect(await openTerminal(wrong).run('rotate-secret')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not the one that the database was encrypted under'),
  });

  const terminal = openTerminal(rotating());
  const ran = await terminal.run('rotate-secret', '--json');
  const json = {
    reencrypted: expect.objectContaining({ 'sent_mails.subject': expect.any(Number) }),
    unreadable: {},
    isComplete: true,
  };
  expect(ran).toMatchObject({ code: 0, stderr: '', json });
  expect(await terminal.run('rotate-secret')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('All data is encrypted with the new secret. You can delete the old one.\n'),
  });
});

test('values that neither secret decrypts are reported, and the others are encrypted', async () => {
  const subject = await storeEncryptedSubject('a third secret, which no server knows');
  await server.database.query(
    `insert into sent_mails (project_id, id, recipients, subject, sender_config, sent_at_millis)
     values ($1, gen_random_uuid(), '{}', $2, '{}', 0)`,
    [server.demo, subject],
  );
  expect(await openTerminal(rotating()).run('rotate-secret')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('You can delete the old one.'),
    stderr: expect.stringContaining('sent_mails.subject: 1'),
  });
});

test('rotate-secret with the embedded database creates the new secret, deletes the old one, and needs the file of the old one', async () => {
  const folder = temporaryFolder();
  const terminal = openTerminal({ TESSERA_DATA_DIR: folder });
  await terminal.run('migrate');
  const secret = await installationSecret(folder, randomSecret);
  try {
    expect(await terminal.run('rotate-secret')).toMatchObject({ code: 0, stderr: '' });
    const fresh = readFileSync(join(folder, 'secret'), 'utf8').trim();
    expect(fresh).toMatch(/^\w{45,}$/);
    expect(fresh).not.toBe(secret);
    expect(existsSync(join(folder, 'previous-secret'))).toBe(false);

    rmSync(join(folder, 'secret'));
    expect(await terminal.run('rotate-secret')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The installation's secret is missing: there is no file .*\/secret\. .*\n$/),
    });
    expect(existsSync(join(folder, 'secret'))).toBe(false);
  } finally {
    // For root, the cluster is in another folder.
    const pointer = join(folder, 'postgres.json');
    if (existsSync(pointer)) rmSync(JSON.parse(readFileSync(pointer, 'utf8')).cluster, { recursive: true });
  }
});

async function storeEncryptedSubject(secret = server.secret): Promise<Buffer> {
  const { createSecrets } = await import('@tessera/server');
  return createSecrets(secret).encrypt('mail subject', 'A subject');
}
