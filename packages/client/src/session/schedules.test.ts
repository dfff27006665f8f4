import * as fc from 'fast-check';
import { test, vi } from 'vitest';
import { runSchedule } from '../test/schedules/run.ts';
import { plainSchedules, rotatingSchedules, type Schedule } from '../test/schedules/schedule.ts';

// A hundred thousand of each are played by `bench/session-schedules.mjs`.
const numRuns = 150;
// A slow machine plays ten of them in a second.
const timeout = 60_000;
// The first import of a chunk reads a file, which set time does not wait for.
const run = (schedule: Schedule) => runSchedule(schedule, () => vi.dynamicImportSettled());

test('controls 39 to 42: random tabs, sleeps, crashes and faults sign no user out', { timeout }, async () => {
  await fc.assert(fc.asyncProperty(plainSchedules, run), { numRuns });
});

test('controls 25 to 27: random tabs, sleeps, crashes and faults sign no user out when refresh tokens rotate', {
  timeout,
}, async () => {
  await fc.assert(fc.asyncProperty(rotatingSchedules, run), { numRuns });
});
