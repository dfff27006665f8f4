import { beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseClock, type DatabaseClock } from './clock.ts';

let monotonicMs: number;
let clock: DatabaseClock;
beforeEach(() => {
  monotonicMs = 0;
  clock = createDatabaseClock(() => monotonicMs, 500);
});

describe('the database clock', () => {
  test('starts with the time of this machine', () => {
    monotonicMs = 10;
    expect(clock.now()).toBe(510);
  });

  test('follows the time that the database told, and goes on by the monotonic clock', () => {
    monotonicMs = 100;
    clock.follow({ databaseMillis: 1_000_000, sentAtMs: 100, answeredAtMs: 100 });
    monotonicMs = 150;
    expect(clock.now()).toBe(1_000_050);
  });

  test('keeps its time when the answer may be as old as the round trip allows', () => {
    clock.follow({ databaseMillis: 1_000_000, sentAtMs: 0, answeredAtMs: 0 });
    clock.follow({ databaseMillis: 1_002_000, sentAtMs: 1_000, answeredAtMs: 3_000 });
    monotonicMs = 3_000;
    expect(clock.now()).toBe(1_003_000);
  });

  test('is corrected by no more than the round trip makes sure', () => {
    clock.follow({ databaseMillis: 1_000_000, sentAtMs: 0, answeredAtMs: 0 });
    clock.follow({ databaseMillis: 1_005_000, sentAtMs: 1_000, answeredAtMs: 1_010 });
    monotonicMs = 1_010;
    expect(clock.now()).toBe(1_005_000);
  });
});
