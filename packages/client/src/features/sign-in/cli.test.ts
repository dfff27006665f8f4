import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, machine } from '../../test/apps.ts';
import { sent } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, knownError } from '../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that answers the polls with these in turn, the last one for ever. */
function program(...answers: (() => Response)[]) {
  let polls = 0;
  const server = createStubServer({
    'POST /api/v1/auth/cli': () => json({ login_code: 'lo/gin', polling_code: 'poll', expires_at: '2026-01-01' }),
    'POST /api/v1/auth/cli/poll': () => answers[Math.min(polls++, answers.length - 1)]?.() ?? json({}),
  });
  const printed: string[] = [];
  const waited: number[] = [];
  const platform = {
    ...machine(server.fetch),
    print: (text: string) => void printed.push(text),
    wait: async (delayMs: number) => void waited.push(delayMs),
  };
  return { app: clientApp(platform, { tokenStore: null }), server, printed, waited };
}

const status = (name: string) => () => json({ status: name });
const done = () =>
  json({ status: 'success', refresh_token: 'refresh' }, { headers: { 'x-stack-actual-status': '201' } });

test('promptCliLogin shows the link, polls until the login is confirmed, and returns the refresh token', async () => {
  const { app, server, printed, waited } = program(status('waiting'), status('waiting'), done);
  const result = await soon(app.promptCliLogin({ appUrl: 'https://shop.example/' }));
  expect(result).toEqual({ status: 'ok', data: 'refresh' });
  expect(printed.join()).toContain('https://shop.example/handler/cli-auth-confirm?login_code=lo%2Fgin');
  expect(waited).toEqual([2000, 2000]);
  expect(sent(server)).toEqual([
    'POST /auth/cli {}',
    'POST /auth/cli/poll {"polling_code":"poll"}',
    'POST /auth/cli/poll {"polling_code":"poll"}',
    'POST /auth/cli/poll {"polling_code":"poll"}',
  ]);
});

test('promptCliLogin uses the configured lifetime, attempts, pause and prompt', async () => {
  const { app, server, printed, waited } = program(status('waiting'));
  const promptLink = vi.fn();
  const options = { appUrl: 'https://a.example', expiresInMillis: 600_000, maxAttempts: 3, waitTimeMillis: 50 };
  const result = await soon(app.promptCliLogin({ ...options, promptLink }));
  expect(result).toMatchObject({
    status: 'error',
    error: { errorCode: 'CLI_AUTH_ERROR', message: 'Timed out waiting for CLI authentication.' },
  });
  expect(promptLink).toHaveBeenCalledExactlyOnceWith('https://a.example/handler/cli-auth-confirm?login_code=lo%2Fgin');
  expect(printed).toEqual([]);
  expect(waited).toEqual([50, 50]);
  expect(sent(server)[0]).toBe('POST /auth/cli {"expires_in_millis":600000}');
});

test.each([
  ['expired', 'CLI_AUTH_EXPIRED_ERROR', 'CLI authentication request expired. Please try again.'],
  ['used', 'CLI_AUTH_USED_ERROR', 'This authentication token has already been used.'],
  ['something new', 'CLI_AUTH_ERROR', 'The server answered with the unknown status something new.'],
])('a CLI login with the status "%s" returns its error', async (name, errorCode, message) => {
  const { app } = program(status(name));
  const result = await soon(app.promptCliLogin({ appUrl: 'https://a.example' }));
  expect(result).toMatchObject({ status: 'error', error: { errorCode, message } });
});

test('promptCliLogin throws the error of an asynchronous promptLink, and stops polling', async () => {
  const { app, server } = program(status('waiting'));
  const promptLink = async () => {
    throw new Error('no browser');
  };
  const options = { appUrl: 'https://a.example', maxAttempts: 3, promptLink };
  await expect(soon(app.promptCliLogin(options))).rejects.toThrow('no browser');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent(server).filter(request => request.includes('poll')).length).toBeLessThanOrEqual(1);
});

test('promptCliLogin does not wait for a promptLink that waits for the browser', async () => {
  const { app } = program(done);
  const promptLink = () => new Promise(() => {});
  const result = await soon(app.promptCliLogin({ appUrl: 'https://a.example', promptLink }));
  expect(result).toEqual({ status: 'ok', data: 'refresh' });
});

test('an unknown polling code throws', async () => {
  const { app } = program(() => knownError('INVALID_POLLING_CODE', 400));
  await expect(soon(app.promptCliLogin({ appUrl: 'https://a.example' }))).rejects.toMatchObject({
    errorCode: 'INVALID_POLLING_CODE',
  });
});
