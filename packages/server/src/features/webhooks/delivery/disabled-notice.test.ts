import { randomUUID } from 'node:crypto';
import { noticesPerUnverifiedRecipient } from '@tessera/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { notifyEndpointDisabled } from './disabled-notice.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const url = 'https://pay-here.example.com/hook';

/** Disables an endpoint six times within an hour. @returns the texts of the emails that an owner gets */
async function textsFor({ isVerified }: { isVerified: boolean }): Promise<string[]> {
  const { id: projectId } = await server.make.project();
  const { userId: user_id, email } = await server.make.user();
  const body = { server_metadata: { managedProjectIds: [projectId] }, primary_email_verified: isVerified };
  await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id }, body });
  for (let count = 0; count <= noticesPerUnverifiedRecipient; count++) {
    const disabled = { projectId, endpointId: randomUUID(), url };
    await transaction(server.deps.db, tx => notifyEndpointDisabled(tx, disabled, server.deps));
  }
  const emails = await server.mailbox(email);
  return emails.filter(({ subject }) => subject.includes('was disabled')).map(({ text }) => text);
}

test('an endpoint that is disabled again and again is named in every email to a verified owner', async () => {
  const texts = await textsFor({ isVerified: true });
  expect(texts).toHaveLength(noticesPerUnverifiedRecipient + 1);
  for (const text of texts) expect(text).toContain(url);
});

test('controls 72 and 75: an unverified address of an owner gets five emails an hour about disabled endpoints, without a link', async () => {
  const texts = await textsFor({ isVerified: false });
  expect(texts).toHaveLength(noticesPerUnverifiedRecipient);
  for (const text of texts) expect(text).not.toContain('pay-here.example.com');
});
