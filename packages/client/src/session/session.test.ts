import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessToken } from '../test/tokens.ts';
import { Session } from './session.ts';
import { expiresAtMs, sessionKey } from './tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A session whose refreshes are answered by hand. */
function make(token: string | null, refreshToken: string | null = 'r') {
  const answers: { resolve(token: string | null): void; reject(error: unknown): void }[] = [];
  const refresh = vi.fn(() => new Promise<string | null>((resolve, reject) => answers.push({ resolve, reject })));
  const session = new Session({ accessToken: token, refreshToken }, { now: Date.now, refresh });
  const changed = vi.fn();
  session.onChange(changed);
  return { session, refresh, answers, changed };
}

test.each([
  [{ accessToken: 'a', refreshToken: 'r' }, 'refresh-r'],
  [{ accessToken: 'a', refreshToken: null }, 'access-a'],
  [{ accessToken: null, refreshToken: null }, 'not-logged-in'],
])('the key of %j is %s', (tokens, key) => expect(sessionKey(tokens)).toBe(key));

test('a token without an end never ends; one that cannot be read has ended', () => {
  expect(expiresAtMs(`x.${btoa('{}')}.y`)).toBe(Number.POSITIVE_INFINITY);
  expect(expiresAtMs('garbage')).toBe(0);
});

test('the text undefined is no token', () => {
  expect(() => make('undefined')).toThrow('undefined');
  expect(() => make(null, 'undefined')).toThrow('undefined');
});

test('a session without tokens is invalid from the start', async () => {
  const { session, refresh } = make(null, null);
  expect(session.isKnownInvalid).toBe(true);
  expect(await session.getLikelyValidTokens(20_000)).toBeNull();
  expect(refresh).not.toHaveBeenCalled();
});

test('a token with enough life is used as it is', async () => {
  const token = accessToken(20_000);
  const { session, refresh } = make(token);
  expect(await session.getLikelyValidTokens(20_000)).toEqual({ accessToken: token, refreshToken: 'r' });
  expect(refresh).not.toHaveBeenCalled();
});

test('a token with too little life is refreshed, and the new one is kept', async () => {
  const { session, answers, changed } = make(accessToken(19_999));
  const asked = session.getLikelyValidTokens(20_000);
  const fresh = accessToken();
  answers[0]?.resolve(fresh);
  expect(await asked).toEqual({ accessToken: fresh, refreshToken: 'r' });
  expect(session.tokens.accessToken).toBe(fresh);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('nobody may ask for a minute or more', async () => {
  await expect(make(accessToken()).session.getLikelyValidTokens(60_000)).rejects.toThrow(RangeError);
});

test('a fresh token that lives shorter than asked for is a defect', async () => {
  const { session, answers } = make(null);
  const asked = session.getLikelyValidTokens(20_000);
  answers[0]?.resolve(accessToken(5000));
  await expect(asked).rejects.toThrow('lives shorter');
});

test('control 39: ten callers in one tab share one refresh', async () => {
  const { session, refresh, answers } = make(null);
  const asked = Array.from({ length: 10 }, () => session.getLikelyValidTokens(20_000));
  const fresh = accessToken();
  answers[0]?.resolve(fresh);
  expect(new Set((await Promise.all(asked)).map(tokens => tokens?.accessToken))).toEqual(new Set([fresh]));
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('a refused refresh ends the session', async () => {
  const { session, answers } = make(accessToken(0));
  const ended = vi.fn();
  session.onEnd(ended);
  const asked = session.getLikelyValidTokens(20_000);
  answers[0]?.resolve(null);
  expect(await asked).toBeNull();
  expect(session.isKnownInvalid).toBe(true);
  expect(session.tokens).toEqual({ accessToken: null, refreshToken: null });
  expect(ended).toHaveBeenCalledTimes(1);
});

test('control 40: a refresh that fails by network ends nothing, and the next one works', async () => {
  const { session, answers, changed } = make(null);
  const first = session.getLikelyValidTokens(20_000);
  answers[0]?.reject(new Error('unreachable'));
  await expect(first).rejects.toThrow('unreachable');
  expect(session.isKnownInvalid).toBe(false);
  expect(changed).not.toHaveBeenCalled();

  const second = session.getLikelyValidTokens(20_000);
  const fresh = accessToken();
  answers[1]?.resolve(fresh);
  expect((await second)?.accessToken).toBe(fresh);
});

describe('a sign-out during a refresh', () => {
  test('is final: the new token changes nothing', async () => {
    const { session, answers, changed } = make(null);
    const asked = session.getLikelyValidTokens(20_000);
    session.markInvalid();
    answers[0]?.resolve(accessToken());
    expect(await asked).toBeNull();
    expect(session.tokens).toEqual({ accessToken: null, refreshToken: null });
    expect(changed).toHaveBeenCalledTimes(1);
  });

  test('is final also when another tab brings a newer token', () => {
    const { session } = make(accessToken());
    session.markInvalid();
    session.adopt(accessToken(900_000));
    expect(session.tokens.accessToken).toBeNull();
  });
});

test('a rejected token is forgotten only while it is the current one', () => {
  const [old, newer] = [accessToken(), accessToken(900_000)];
  const { session } = make(old);
  session.adopt(newer);
  session.markAccessTokenExpired(old);
  expect(session.tokens.accessToken).toBe(newer);
  session.markAccessTokenExpired(newer);
  expect(session.tokens.accessToken).toBeNull();
  session.adopt(newer);
  expect(session.tokens.accessToken).toBeNull();
});

test('an access token alone is used until it ends', async () => {
  const token = accessToken(30_000);
  const { session, refresh } = make(token, null);
  expect(await session.getLikelyValidTokens(20_000)).toEqual({ accessToken: token, refreshToken: null });
  vi.advanceTimersByTime(15_000);
  expect(await session.getLikelyValidTokens(20_000)).toBeNull();
  expect(refresh).not.toHaveBeenCalled();
});

test('control 43: a session shows no token, neither as JSON nor as an object', () => {
  const { session } = make(accessToken());
  expect(JSON.stringify(session)).toBe('{}');
  expect(Object.keys(session)).toEqual([]);
});
