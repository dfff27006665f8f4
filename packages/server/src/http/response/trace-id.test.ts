import { ask } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const open = (accept: string) => ask(server.app, '/api/v1/auth/oauth/callback/github?state=x', { headers: { accept } });

test('a text error that a browser opens ends with the trace id', async () => {
  const answer = await open('text/html,*/*');
  expect(answer.text).toBe(
    `This sign-in was not begun in this browser, or it is over. Please begin again.\n\nTrace id: ${answer.headers.get('x-stack-request-id')}`,
  );
});

test('a text error that an SDK reads is the sentence alone', async () => {
  expect((await open('*/*')).text).toBe(
    'This sign-in was not begun in this browser, or it is over. Please begin again.',
  );
});
