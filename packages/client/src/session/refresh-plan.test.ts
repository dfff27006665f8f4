import { expect, test } from 'vitest';
import { accessToken } from '../test/tokens.ts';
import { planRefresh } from './refresh-plan.ts';

const now = Date.now();
const long = now - 60_000;
const fresh = (session?: string) => accessToken(600_000, session);
const stale = (session?: string) => accessToken(0, session);

const [ownLast, sameFresh, sameStale, other] = [stale('s1'), fresh('s1'), stale('s1'), fresh('s2')];

test.each([
  [
    'nothing new in the store',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: 'r1', accessToken: ownLast },
    { send: 'r1' },
  ],
  [
    'another tab was quicker',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: 'r1', accessToken: sameFresh },
    { take: { refreshToken: 'r1', accessToken: sameFresh } },
  ],
  [
    'a token that the server has rejected is not taken',
    { refreshToken: 'r1', lastAccessToken: sameFresh },
    { refreshToken: 'r1', accessToken: sameFresh },
    { send: 'r1' },
  ],
  [
    'signed out elsewhere: the server decides',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: null, accessToken: null },
    { send: 'r1' },
  ],
  [
    'another tab has replaced the refresh token',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: 'r2', accessToken: sameFresh },
    { take: { refreshToken: 'r2', accessToken: sameFresh } },
  ],
  [
    'another tab has replaced it long ago: the old one must not be sent',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: 'r2', accessToken: sameStale },
    { send: 'r2' },
  ],
  [
    'another user has signed in: the session keeps its own token',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: 'q', accessToken: other },
    { send: 'r1' },
  ],
  [
    'another refresh token without an access token: it has to say whose it is',
    { refreshToken: 'r1', lastAccessToken: ownLast },
    { refreshToken: 'r2', accessToken: null },
    { learn: 'r2' },
  ],
  [
    'it was the own one a moment ago: the server says the same to both',
    { refreshToken: 'r1', lastAccessToken: null, seenAtMs: now - 10_000 },
    { refreshToken: 'r2', accessToken: sameFresh },
    { send: 'r1' },
  ],
  [
    'the owner of the found token is unknown: the own one counts as replaced',
    { refreshToken: 'r1', lastAccessToken: null },
    { refreshToken: 'r2', accessToken: sameFresh },
    'replaced',
  ],
])('controls 26 and 27: %s', (_, own, found, plan) => {
  expect(planRefresh({ seenAtMs: long, ...own }, found, now)).toEqual(plan);
});
