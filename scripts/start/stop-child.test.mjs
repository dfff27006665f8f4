import { EventEmitter, once } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { stopChild } from './stop-child.mjs';

let signals;
let child;
let printed;
beforeEach(() => {
  vi.useFakeTimers();
  printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  signals = [];
  const running = Object.assign(new EventEmitter(), {
    exitCode: null,
    signalCode: null,
    kill(signal) {
      signals.push(signal);
      if (signal === 'SIGKILL') running.emit('exit');
    },
  });
  child = { name: 'server', process: running, ended: once(running, 'exit') };
});

test('a server that uses the longest drain grace and all time for requests and jobs is not killed', async () => {
  const stopped = stopChild(child);
  vi.advanceTimersByTime(60_000 + 10_000 + 10_000);
  child.process.emit('exit');
  await stopped;
  vi.runAllTimers();
  expect(signals).toEqual(['SIGTERM']);
});

test('a server that does not end is killed after 90 s, with a message', async () => {
  const stopped = stopChild(child);
  vi.advanceTimersByTime(90_000);
  await stopped;
  expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  expect(printed).toHaveBeenCalledWith('The server did not stop within 90 s and is killed.\n');
});

test('a server that has ended gets no signal', async () => {
  child.process.exitCode = 1;
  await stopChild(child);
  expect(signals).toEqual([]);
});
