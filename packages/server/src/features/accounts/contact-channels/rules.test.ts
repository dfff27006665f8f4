import { describe, expect, test } from 'vitest';
import { applyChannelPatch, type ChannelPatch, resolveChannelOwner } from './rules.ts';

const channel = {
  id: 'a channel',
  userId: 'ada',
  value: 'ada@example.com',
  isPrimary: true,
  isVerified: true,
  usedForAuth: true,
};

describe('a channel after a change', () => {
  test.each<[ChannelPatch, Partial<typeof channel>]>([
    [{}, {}],
    [{ value: undefined, isPrimary: undefined, isVerified: undefined, usedForAuth: undefined }, {}],
    [{ isPrimary: false }, { isPrimary: false }],
    [{ usedForAuth: false }, { usedForAuth: false }],
    [{ isVerified: false }, { isVerified: false }],
    [{ value: 'other@example.com' }, { value: 'other@example.com', isVerified: false }],
    [{ value: 'ada@example.com' }, { isVerified: false }],
    [{ value: 'other@example.com', isVerified: true }, { value: 'other@example.com' }],
    [
      { value: 'other@example.com', isPrimary: false },
      { value: 'other@example.com', isPrimary: false, isVerified: false },
    ],
  ])('by %j', (patch, changed) => {
    expect(applyChannelPatch(channel, patch)).toEqual({ ...channel, ...changed });
  });
});

describe('the owner of the channels that a request names', () => {
  test.each([
    ['client', 'ada', 'ada'],
    ['server', 'ada', 'eve'],
    ['server', undefined, undefined],
    ['admin', undefined, 'eve'],
  ] as const)('at level %s with the user %s is %s, as named', (level, callerId, targetUserId) => {
    expect(resolveChannelOwner({ level, user: userOf(callerId), targetUserId })).toBe(targetUserId);
  });

  test.each([
    ['ada', 'eve', { status: 403 }],
    ['ada', undefined, { status: 403 }],
    [undefined, 'ada', { errorCode: 'CANNOT_GET_OWN_USER_WITHOUT_USER' }],
    [undefined, undefined, { errorCode: 'CANNOT_GET_OWN_USER_WITHOUT_USER' }],
  ])('at level client with the user %s is refused for %s', (callerId, targetUserId, error) => {
    const resolve = () => resolveChannelOwner({ level: 'client', user: userOf(callerId), targetUserId });
    expect(resolve).toThrow(expect.objectContaining(error));
  });
});

const userOf = (id: string | undefined) => (id === undefined ? null : { id });
