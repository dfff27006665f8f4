import { beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseClock, type DatabaseClock } from './clock.ts';

let monotonicMs: number;
let clock: DatabaseClock;
beforeEach(() => {
  monotonicMs = 0;
  clock = createDatabaseClock(() => monotonicMs, 500);
});

describe('the database clock', () => {
  test('starts with the time of the process', () => {
    monotonicMs = 10;
    expect(clock.now()).toBe(510);
  });

  test('follows the time that the database reports, and advances by the monotonic clock', () => {
    monotonicMs = 100;
    clock.follow({ databaseMillis: 1_000_000, sentAtMs: 100, answeredAtMs: 100 });
    monotonicMs = 150;
    expect(clock.now()).toBe(1_000_050);
  });

  test('is not corrected when the difference is within the round-trip time', () => {
    clock.follow({ databaseMillis: 1_000_000, sentAtMs: 0, answeredAtMs: 0 });
    clock.follow({ databaseMillis: 1_002_000, sentAtMs: 1_000, answeredAtMs: 3_000 });
    monotonicMs = 3_000;
    expect(clock.now()).toBe(1_003_000);
  });

  test('is corrected only by the part of the difference that exceeds the round-trip time', () => {
    clock.follow({ databaseMillis: 1_000_000, sentAtMs: 0, answeredAtMs: 0 });
    clock.follow({ databaseMillis: 1_005_000, sentAtMs: 1_000, answeredAtMs: 1_010 });
    monotonicMs = 1_010;
    expect(clock.now()).toBe(1_005_000);
  });
});
