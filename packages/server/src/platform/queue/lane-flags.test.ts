import { expect, test } from 'vitest';
import { createLaneFlags } from './lane-flags.ts';

/** Eight places, of them six for a project and four for any other flag, on a clock that the test sets. */
function openFlags(limits?: ReadonlyMap<string, number>) {
  let nowMs = 0;
  const lane = { concurrency: 8, perFlag: 4, perProject: 6 };
  const flags = createLaneFlags({ ...lane, ...(limits !== undefined && { limits: () => limits }) }, () => nowMs);
  return {
    ...flags,
    run: (flag: string, durationMs: number) => {
      const end = flags.start([flag]);
      nowMs += durationMs;
      end();
    },
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('each running job takes a place of all its flags', () => {
  const { start, room } = openFlags();
  start(['project:shop', 'one endpoint']);
  const end = start(['project:shop', 'another endpoint']);
  expect([...room().room]).toEqual([
    ['project:shop', 4],
    ['one endpoint', 3],
    ['another endpoint', 3],
  ]);
  end();
  expect([...room().room]).toEqual([
    ['project:shop', 5],
    ['one endpoint', 3],
  ]);
});

test('a flag whose last job was slow has half of the room', () => {
  const { run, room } = openFlags();
  run('slow', 2_001);
  run('fast', 2_000);
  expect(room()).toEqual({ room: new Map([['slow', 2]]), slowFlags: ['slow'], slowRoom: 4 });
  run('slow', 10);
  expect(room()).toEqual({ room: new Map(), slowFlags: [], slowRoom: 4 });
});

test('a slow flag does not raise a limit that is lower', () => {
  const { run, room } = openFlags(new Map([['failing', 1]]));
  run('failing', 9_000);
  expect(room().room.get('failing')).toBe(1);
});

test('jobs of slow flags take at most half of the places, all together', () => {
  const { run, start, room } = openFlags();
  run('one', 9_000);
  run('other', 9_000);
  const ends = ['one', 'one', 'other', 'other'].map(flag => start([flag]));
  start(['fast']);
  expect(room().slowRoom).toBe(0);
  ends[0]?.();
  expect(room().slowRoom).toBe(1);
});

test('a slow flag without jobs is forgotten after 15 minutes', () => {
  const { run, wait, room } = openFlags();
  run('slow', 9_000);
  wait(15 * 60_000 - 1);
  expect(room().slowFlags).toEqual(['slow']);
  wait(1);
  expect(room().slowFlags).toEqual([]);
});
