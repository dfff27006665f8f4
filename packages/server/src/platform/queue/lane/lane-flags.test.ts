import { expect, test } from 'vitest';
import { createLaneFlags } from './lane-flags.ts';

/** Eight places, of them six for a project and four for any other flag, on a clock that the test sets. */
function openFlags(limits?: ReadonlyMap<string, number>) {
  let nowMs = 0;
  const lane = { concurrency: 8, perFlag: 4, perProject: 6 };
  const flags = createLaneFlags({ ...lane, ...(limits !== undefined && { limits: () => limits }) }, () => nowMs);
  return {
    ...flags,
    run: (given: readonly string[], durationMs: number) => {
      const end = flags.start(given);
      nowMs += durationMs;
      end();
    },
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

const shop = ['project:shop', 'one endpoint'];

test('each running job takes a place of all its flags', () => {
  const { start, run, room } = openFlags();
  for (const endpoint of ['one endpoint', 'another endpoint']) run(['project:shop', endpoint], 10);
  start(shop);
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

test('a flag is quick when its last job took at most two seconds', () => {
  const { run, room } = openFlags();
  run(shop, 2_000);
  expect(room().quickFlags).toEqual(['one endpoint']);
  run(shop, 2_001);
  expect(room().quickFlags).toEqual([]);
});

test('of a thousand quick flags and one more, the one that was used longest ago becomes unknown', () => {
  const { run, room } = openFlags();
  for (let index = 0; index <= 1_000; index++) run([`endpoint ${index}`], 10);
  expect(room().quickFlags).toHaveLength(1_000);
  expect(room().quickFlags).not.toContain('endpoint 0');
});

test('a slow flag and a project with slow jobs in the last minute have half of their room', () => {
  const { run, start, room } = openFlags();
  run(shop, 2_001);
  start(shop);
  expect([...room().room]).toEqual([
    ['project:shop', 2],
    ['one endpoint', 1],
  ]);
  const other = openFlags();
  other.run(shop, 2_001);
  other.wait(60_000);
  other.start(shop);
  expect(other.room().room.get('project:shop')).toBe(5);
});

test('a slow flag does not raise a limit that is lower', () => {
  const { run, room } = openFlags(new Map([['failing', 1]]));
  run(['failing'], 9_000);
  expect(room().room.get('failing')).toBe(1);
});

test('jobs of slow and unknown flags take at most half of the places, all together', () => {
  const { run, start, room } = openFlags();
  run(['slow'], 9_000);
  run(['fast'], 10);
  const ends = ['slow', 'slow', 'unknown', 'another'].map(flag => start([flag]));
  start(['fast']);
  start([]);
  expect(room()).toMatchObject({ limit: 2, slowRoom: 0 });
  ends[0]?.();
  expect(room()).toMatchObject({ limit: 3, slowRoom: 1 });
});

test('a job whose only flag is that of its project takes no place of slow and unknown ones', () => {
  const { start, room } = openFlags();
  start(['project:shop']);
  expect(room()).toMatchObject({ limit: 7, slowRoom: 4 });
  expect([...room().room]).toEqual([['project:shop', 5]]);
});

test('a running job becomes slow after two seconds, and gives its place back to quick ones', () => {
  const { run, start, wait, room } = openFlags();
  for (const flag of ['one', 'other', 'fast']) run([flag], 10);
  for (const flag of ['one', 'one', 'one', 'one', 'other', 'other', 'other', 'other']) start([flag]);
  expect(room()).toMatchObject({ limit: 0, slowRoom: 4 });
  wait(2_001);
  expect(room()).toMatchObject({ limit: 4, slowRoom: 0, quickFlags: ['fast'] });
  for (let count = 0; count < 4; count++) start(['fast']);
  expect(room().limit).toBe(0);
});

test('while places are scarce, new places go only to projects without running jobs and without slow ones in the last minute', () => {
  const { run, start, wait, newcomerRoom } = openFlags();
  const full = (room = newcomerRoom()?.room) =>
    [...(room ?? [])].filter(([, free]) => free === 0).map(([flag]) => flag);
  run(['project:news', 'endpoint'], 2_001);
  expect(newcomerRoom()).toBeUndefined();
  const ends = [start(shop), start(['project:blog', 'blog endpoint'])];
  expect(full()).toEqual(['project:shop', 'project:blog', 'project:news']);
  for (const end of ends) end();
  run(shop, 2_001);
  expect(full()).toEqual(['project:news', 'project:shop']);
  wait(60_000);
  expect(newcomerRoom()).toBeUndefined();
});

test('jobs with a single flag are newcomers by this flag', () => {
  const { start, newcomerRoom } = openFlags();
  for (const project of ['shop', 'blog']) start([project]);
  expect([...(newcomerRoom()?.room ?? [])]).toEqual([
    ['shop', 0],
    ['blog', 0],
  ]);
});
