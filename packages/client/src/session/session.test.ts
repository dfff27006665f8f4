import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accessToken } from '../test/tokens.ts';
import type { LiveTokens } from './session.ts';
import { Session } from './session.ts';
import { expiresAtMs } from './tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A session. The test answers each of its refreshes. */
function make(token: string | null, refreshToken: string | null = 'r') {
  const answers: { resolve(token: string | null, next?: string): void; reject(error: unknown): void }[] = [];
  const refresh = vi.fn(
    () =>
      new Promise<LiveTokens | null>((resolve, reject) => {
        const answer = (fresh: string | null, next = 'r') =>
          resolve(fresh === null ? null : { accessToken: fresh, refreshToken: next });
        answers.push({ resolve: answer, reject });
      }),
  );
  const session = new Session({ accessToken: token, refreshToken }, { now: Date.now, refresh });
  const changed = vi.fn();
  session.onChange(changed);
  return { session, refresh, answers, changed };
}

const noTokens = { accessToken: null, refreshToken: null };

test.each([
  ['the same refresh token', make('a').session, { accessToken: null, refreshToken: 'r' }, true],
  ['another refresh token', make('a').session, { accessToken: 'a', refreshToken: 'q' }, false],
  ['the same access token alone', make('a', null).session, { accessToken: 'a', refreshToken: null }, true],
  ['another access token alone', make('a', null).session, { accessToken: 'b', refreshToken: null }, false],
  ['no tokens, for a session with tokens', make('a').session, noTokens, false],
  ['no tokens, for a session without tokens', make(null, null).session, noTokens, true],
  [
    'the same session with another refresh token',
    make(accessToken(1000, 's1')).session,
    { accessToken: accessToken(2000, 's1'), refreshToken: 'q' },
    true,
  ],
  [
    'another session',
    make(accessToken(1000, 's1')).session,
    { accessToken: accessToken(2000, 's2'), refreshToken: 'q' },
    false,
  ],
])('a session covers its own tokens: %s', (_, session, tokens, isCovered) => {
  expect(session.covers(tokens)).toBe(isCovered);
});

test('a rotated refresh token replaces the old one', async () => {
  const { session, refresh, answers } = make(accessToken(0));
  const asked = session.getLikelyValidTokens(20_000);
  const fresh = accessToken();
  answers[0]?.resolve(fresh, 'next');
  expect(await asked).toEqual({ accessToken: fresh, refreshToken: 'next' });
  expect(session.tokens).toEqual({ accessToken: fresh, refreshToken: 'next' });
  void session.fetchNewTokens();
  const own = { refreshToken: 'next', lastAccessToken: fresh, seenAtMs: Date.now() };
  expect(refresh).toHaveBeenLastCalledWith(own, expect.any(Function));
});

test('a token without an expiry never expires, and a malformed token counts as expired', () => {
  expect(expiresAtMs(`x.${btoa('{}')}.y`)).toBe(Number.POSITIVE_INFINITY);
  expect(expiresAtMs('garbage')).toBe(0);
});

test('the text "undefined" is refused as a token', () => {
  expect(() => make('undefined')).toThrow('undefined');
  expect(() => make(null, 'undefined')).toThrow('undefined');
});

test('a session without tokens is invalid from the start', async () => {
  const { session, refresh } = make(null, null);
  expect(session.isKnownInvalid).toBe(true);
  expect(await session.getLikelyValidTokens(20_000)).toBeNull();
  expect(refresh).not.toHaveBeenCalled();
});

test('a token with enough lifetime left is used without a refresh', async () => {
  const token = accessToken(20_000);
  const { session, refresh } = make(token);
  expect(await session.getLikelyValidTokens(20_000)).toEqual({ accessToken: token, refreshToken: 'r' });
  expect(refresh).not.toHaveBeenCalled();
});

test('a token with too little lifetime left is refreshed and stored', async () => {
  const { session, answers, changed } = make(accessToken(19_999));
  const asked = session.getLikelyValidTokens(20_000);
  const fresh = accessToken();
  answers[0]?.resolve(fresh);
  expect(await asked).toEqual({ accessToken: fresh, refreshToken: 'r' });
  expect(session.tokens.accessToken).toBe(fresh);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('a required lifetime of a minute or more is refused', async () => {
  await expect(make(accessToken()).session.getLikelyValidTokens(60_000)).rejects.toThrow(RangeError);
});

test('a fresh token that lives shorter than requested is a defect', async () => {
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

test('control 40: a refresh that fails by network keeps the session, and the next one succeeds', async () => {
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

test('the new token of a refresh that runs during a sign-out is dropped', async () => {
  const { session, answers, changed } = make(null);
  const asked = session.getLikelyValidTokens(20_000);
  session.markInvalid();
  answers[0]?.resolve(accessToken());
  expect(await asked).toBeNull();
  expect(session.tokens).toEqual({ accessToken: null, refreshToken: null });
  expect(changed).toHaveBeenCalledTimes(1);
});

test('a session that was signed out adopts no newer token of another tab', () => {
  const { session } = make(accessToken());
  session.markInvalid();
  session.adopt({ accessToken: accessToken(900_000), refreshToken: 'r' });
  expect(session.tokens.accessToken).toBeNull();
});

test('an older token of another tab does not replace a newer one', () => {
  const [old, newer] = [accessToken(), accessToken(900_000)];
  const { session } = make(newer);
  session.adopt({ accessToken: old, refreshToken: 'r' });
  expect(session.tokens.accessToken).toBe(newer);
});

test('a rejected token is dropped only while it is the current one', () => {
  const [old, newer] = [accessToken(), accessToken(900_000)];
  const { session } = make(old);
  session.adopt({ accessToken: newer, refreshToken: 'r' });
  session.markAccessTokenExpired(old);
  expect(session.tokens.accessToken).toBe(newer);
  session.markAccessTokenExpired(newer);
  expect(session.tokens.accessToken).toBeNull();
  session.adopt({ accessToken: newer, refreshToken: 'r' });
  expect(session.tokens.accessToken).toBeNull();
});

test('an access token without a refresh token is used until it expires', async () => {
  const token = accessToken(30_000);
  const { session, refresh } = make(token, null);
  expect(await session.getLikelyValidTokens(20_000)).toEqual({ accessToken: token, refreshToken: null });
  vi.advanceTimersByTime(15_000);
  expect(await session.getLikelyValidTokens(20_000)).toBeNull();
  expect(refresh).not.toHaveBeenCalled();
});

test('control 43: a session exposes no token as JSON or as an object', () => {
  const { session } = make(accessToken());
  expect(JSON.stringify(session)).toBe('{}');
  expect(Object.keys(session)).toEqual([]);
});
