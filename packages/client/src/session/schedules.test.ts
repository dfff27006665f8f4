import * as fc from 'fast-check';
import { test } from 'vitest';
import { runSchedule } from '../test/schedules/run.ts';
import { plainSchedules, rotatingSchedules } from '../test/schedules/schedule.ts';

// A hundred thousand of each are played by `bench/session-schedules.mjs`.
const numRuns = 300;

test('controls 39 to 42: whatever tabs, sleeps, crashes and faults there are, nobody is signed out against their will', async () => {
  await fc.assert(fc.asyncProperty(plainSchedules, runSchedule), { numRuns });
});

test('controls 25 to 27: neither where the project replaces refresh tokens', async () => {
  await fc.assert(fc.asyncProperty(rotatingSchedules, runSchedule), { numRuns });
});
