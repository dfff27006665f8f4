import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followOutput, openLogFile } from './server-log.mjs';

test('a log file that cannot be written is reported once, and the output of the server is still shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // A folder in the place of the file fails as a full disk does: after the stream is open for its users.
  mkdirSync(join(folder, 'server.log'));
  const onError = vi.fn();
  const file = openLogFile(folder, { onError });
  await new Promise(resolve => file.once('close', resolve));

  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const child = { stdout: new PassThrough(), stderr: new PassThrough() };
  const { recent } = followOutput(child, { name: 'server', file, showAll: false });
  child.stdout.end('first\nsecond\n');
  await expect.poll(recent).toEqual(['first', 'second']);
  expect(write.mock.calls.flat()).toEqual(['server  first\n', 'server  second\n']);
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'EISDIR' })]]);
});

test('lines that the terminal did not get are kept for the message about an unexpected end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = openLogFile(folder, { onError: vi.fn() });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const child = { stdout: new PassThrough(), stderr: new PassThrough() };
  const { recent, unseen } = followOutput(child, { name: 'server', file, showAll: false });
  child.stdout.end('{"level":"info","msg":"starting"}\n{"level":"error","msg":"in use"}\n');
  await expect.poll(recent).toEqual(['info  starting', 'error  in use']);
  expect(unseen()).toEqual(['info  starting']);
  expect(write.mock.calls.flat()).toEqual(['server  error  in use\n']);
  await new Promise(resolve => file.end(resolve));
});

test('an error is shown with its causes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = openLogFile(folder, { onError: vi.fn() });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const child = { stdout: new PassThrough(), stderr: new PassThrough() };
  const { recent } = followOutput(child, { name: 'server', file, showAll: false });
  const err = { message: 'migration failed', cause: { message: 'disk', cause: { message: 'full' } } };
  child.stdout.end(`${JSON.stringify({ level: 'error', msg: 'no start', err })}\n`);
  await expect.poll(recent).toEqual(['error  no start  migration failed  disk  full']);
  await new Promise(resolve => file.end(resolve));
});
